// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "ndapi/core/mr.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/hosts/written_places.hpp"

namespace ndsim {

// Memory of a scenario's buffer: zeros, page-aligned, so that addresses are the same on every run. What is never
// touched costs address space only.
class PageMemory {
public:
    explicit PageMemory(std::uint64_t size);
    [[nodiscard]] std::byte* data() const { return data_.get(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    struct Unmap {
        std::uint64_t mapped = 0;
        void operator()(std::byte* data) const;
    };
    std::uint64_t size_;
    std::unique_ptr<std::byte, Unmap> data_;
};

// Whether software has written to a buffer lately, so that the last-level cache may hold it, or only devices do.
enum class Touched : std::uint8_t { by_software, by_devices };

// What a buffer holds at first.
struct BufferContent {
    Fill fill = Fill::zero;
    std::uint64_t seed = 0;
    Touched touched = Touched::by_software;
};
// `name` chooses among the random contents of a seed.
void fill_memory(const PageMemory& memory, std::string_view name, const BufferContent& content);

// A buffer of the scenario.
struct HostBuffer {
    PageMemory memory;
    core::Mr* region = nullptr;  // once it is registered, if it is
    WrittenPlaces written;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "ndapi/core/mr.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/hosts/written_places.hpp"
#include "sim/base/page_memory.hpp"

namespace ndsim {

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

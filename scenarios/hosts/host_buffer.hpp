// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "ndapi/core/mr.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/hosts/written_places.hpp"
#include "sim/base/page_memory.hpp"

namespace ndsim {

// Whether software has recently written to a buffer, so that the last-level cache may hold it, or only devices have.
enum class Touched : std::uint8_t { by_software, by_devices };

// The initial contents of a buffer.
struct BufferContent {
    Fill fill = Fill::zero;
    std::uint64_t seed = 0;
    Touched touched = Touched::by_software;
};
// `name` selects one of the random contents of a seed.
void fill_memory(const PageMemory& memory, std::string_view name, const BufferContent& content);

// A buffer of the scenario.
struct HostBuffer {
    PageMemory memory;
    core::Mr* region = nullptr;  // if it is registered
    WrittenPlaces written;
};

}  // namespace ndsim

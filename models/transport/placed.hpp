// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/units.hpp"

namespace ndsim {

// Payload that was put into host memory, of messages that are half there as well, and when the last of it was.
struct Placed {
    std::uint64_t bytes = 0;
    Picoseconds last{};

    void add(std::uint64_t more, Picoseconds at) {
        bytes += more;
        last = std::max(last, at);
    }
    void add(const Placed& other) { add(other.bytes, other.last); }
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/units.hpp"

namespace ndsim {

// Payload put into host memory, that of unfinished messages included, and the time of the last of it.
struct PlacedPayload {
    std::uint64_t bytes = 0;
    Picoseconds last{};

    void add(std::uint64_t more, Picoseconds at) {
        bytes += more;
        last = std::max(last, at);
    }
    void add(const PlacedPayload& other) { add(other.bytes, other.last); }
};

}  // namespace ndsim

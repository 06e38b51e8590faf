// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace ndsim::core {

inline constexpr std::uint32_t kMaxCqDepth = 4'194'303;

// What a program gets that asks for so many entries, where depths are rounded (B4): all that the ring holds, which has
// one entry to spare at least, and a place for the one that says that the queue goes on in another ring.
[[nodiscard]] constexpr std::uint32_t field_cq_depth(std::uint32_t depth) {
    return std::min(std::bit_ceil(depth + 2) - 1, kMaxCqDepth);
}

}  // namespace ndsim::core

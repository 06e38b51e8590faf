// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace ndsim::core {

inline constexpr std::uint32_t kMaxCqDepth = 4'194'303;

// The depth for a program that asks for `depth` entries, where depths are rounded (B4): all that the ring holds. The
// ring has at least one spare entry, and a place for the entry that announces the move to another ring.
[[nodiscard]] constexpr std::uint32_t field_cq_depth(std::uint32_t depth) {
    return std::min(std::bit_ceil(depth + 2) - 1, kMaxCqDepth);
}

}  // namespace ndsim::core

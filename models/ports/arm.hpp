// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace ndsim {

// The completions that a CQ is armed for, by strength: arming an armed CQ keeps the stronger wish [K73].
enum class Arm : std::uint8_t { none, errors, solicited, any };

[[nodiscard]] constexpr Arm stronger(Arm a, Arm b) {
    return std::max(a, b);
}

}  // namespace ndsim

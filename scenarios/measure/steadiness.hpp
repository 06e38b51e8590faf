// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace ndsim {

// Whether something measured in batches has settled: its two halves agree within 2 %.
[[nodiscard]] inline bool halves_agree(std::span<const double> batches) {
    const std::size_t half = batches.size() / 2;
    const auto sum = [](std::span<const double> part) { return std::accumulate(part.begin(), part.end(), 0.0); };
    const double first = sum(batches.first(half));
    const double second = sum(batches.subspan(half, half));
    return std::abs(first - second) * 50 <= std::max(first, second);
}

}  // namespace ndsim

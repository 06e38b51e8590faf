// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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

// Whether reports have at least 98 % of the rate of the movement that they report. Movement that runs ahead of them
// cannot do so for ever: what has been moved waits somewhere.
[[nodiscard]] inline bool keep_up(std::uint64_t reported, std::uint64_t moved) {
    return static_cast<double>(reported) * 100 >= static_cast<double>(moved) * 98;
}

}  // namespace ndsim

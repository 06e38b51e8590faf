// SPDX-License-Identifier: Apache-2.0
#include "scenarios/measure/batch_means.hpp"

#include <cmath>
#include <numeric>

namespace ndsim {

std::optional<std::uint64_t> half_interval_ppm(std::span<const double> batches) {
    constexpr double kStudent = 2.093;  // t for 19 degrees of freedom
    static_assert(kBatches == 20);
    const auto n = static_cast<double>(batches.size());
    const double mean = std::accumulate(batches.begin(), batches.end(), 0.0) / n;
    if (batches.size() != kBatches || mean <= 0) {
        return std::nullopt;
    }
    double squares = 0;
    for (const double batch : batches) {
        squares += (batch - mean) * (batch - mean);
    }
    const double deviation = std::sqrt(squares / (n - 1));
    return static_cast<std::uint64_t>(1e6 * kStudent * deviation / std::sqrt(n) / mean);
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/little.hpp"

#include <algorithm>

#include "sim/base/histogram.hpp"

namespace ndsim::advise {

namespace {

constexpr std::uint64_t kPicosecondsInSecond = 1'000'000'000'000;

}  // namespace

Picoseconds time_under_way(const Traffic& traffic, std::uint64_t depth, std::uint64_t goodput) {
    if (goodput == 0) {
        return {};
    }
    const WideSum bits = WideSum{depth} * traffic.queue_pairs * mean_size(traffic) * 8;
    return Picoseconds{static_cast<std::int64_t>(bits * kPicosecondsInSecond / goodput)};
}

std::optional<std::uint64_t> little_bound(const Dimension& dimension, std::uint64_t depth, const Alone& alone) {
    const Picoseconds measured = dimension.holds_reads ? alone.read : alone.message;
    const Picoseconds latency = dimension.latency > Picoseconds{0} ? dimension.latency : measured;
    if (dimension.payload == 0 || latency <= Picoseconds{0}) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(WideSum{depth} * dimension.payload * 8 * kPicosecondsInSecond /
                                      static_cast<std::uint64_t>(latency.count()));
}

std::optional<std::uint64_t> measured_bound(const Dimension& dimension, std::uint64_t depth, const Alone& alone) {
    constexpr std::uint64_t kThousand = 1000;
    const auto most = little_bound(dimension, depth, alone);
    return most ? std::optional(*most + *most / kThousand) : std::nullopt;
}

bool is_bounded(const Dimension& dimension, const std::map<std::uint64_t, Trial>& steps, const Alone& alone) {
    return std::ranges::all_of(steps, [&](const auto& step) {
        const auto most = measured_bound(dimension, step.first, alone);
        return most && step.second.goodput_of_all <= *most;
    });
}

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/measure/measured_latency.hpp"

#include <fmt/format.h>

namespace ndsim {

namespace {

constexpr std::uint64_t kFewest = 2;  // messages in a half of the window, to compare the halves

}  // namespace

void MeasuredLatency::record(std::uint64_t message, Picoseconds latency) {
    histogram_.record(latency);
    // The batch in which the rate's window counts the message: it ends with message (i + 1) x window / 20, rounded up.
    Batch& batch = batches_.at(static_cast<std::size_t>(message * kBatches / window_));
    batch.sum += static_cast<WideSum>(latency.count());
    ++batch.count;
}

std::optional<std::uint64_t> MeasuredLatency::half_interval() const {
    std::array<double, kBatches> means{};
    for (std::size_t i = 0; i < means.size(); ++i) {
        if (batches_.at(i).count == 0) {
            return std::nullopt;
        }
        means.at(i) = static_cast<double>(batches_.at(i).sum) / static_cast<double>(batches_.at(i).count);
    }
    return half_interval_ppm(means);
}

MeasuredLatency::Batch MeasuredLatency::sum_of(std::size_t from, std::size_t to) const {
    Batch all;
    for (std::size_t i = from; i < to; ++i) {
        all.sum += batches_.at(i).sum;
        all.count += batches_.at(i).count;
    }
    return all;
}

std::optional<bool> MeasuredLatency::stay() const {
    const Batch first = sum_of(0, kBatches / 2);
    const Batch second = sum_of(kBatches / 2, kBatches);
    if (first.count < kFewest || second.count < kFewest) {
        return std::nullopt;
    }
    return second.sum * first.count * 4 <= first.sum * second.count * 5;
}

void MeasuredLatency::report(Metrics& metrics, const std::string& name, std::string_view sentence) const {
    metrics.add_latency(name, histogram_, sentence);
    metrics.add(name + ".interval", half_interval(), Quantity::fraction,
                fmt::format("half the 95 % interval of the mean, by batch means: {}", sentence));
}

}  // namespace ndsim

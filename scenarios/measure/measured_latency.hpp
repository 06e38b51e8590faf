// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scenarios/measure/batch_means.hpp"
#include "scenarios/measure/metrics.hpp"
#include "sim/base/histogram.hpp"

namespace ndsim {

// MeasuredLatency: the latencies of a window of messages. The 95 % interval of their mean uses the same batches as the
// window's rate.
class MeasuredLatency {
public:
    explicit MeasuredLatency(std::uint64_t window) : window_(window) {}

    // `message` is the number within the window, from 0; messages may be left out.
    void record(std::uint64_t message, Picoseconds latency);
    void report(Metrics& metrics, const std::string& name, std::string_view sentence) const;
    // Whether latencies stay: those of the second half are at most a quarter longer than those of the first. None if a
    // half has fewer than two samples.
    [[nodiscard]] std::optional<bool> stay() const;

private:
    // The sum of a batch's latencies.
    struct Batch {
        WideSum sum = 0;
        std::uint64_t count = 0;
    };
    [[nodiscard]] Batch sum_of(std::size_t from, std::size_t to) const;

    [[nodiscard]] std::optional<std::uint64_t> half_interval() const;

    std::uint64_t window_;
    Histogram histogram_;
    std::array<Batch, kBatches> batches_{};
};

}  // namespace ndsim

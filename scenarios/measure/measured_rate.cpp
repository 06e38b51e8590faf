// SPDX-License-Identifier: Apache-2.0
#include "scenarios/measure/measured_rate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ndsim {

namespace {

std::uint64_t warmup_of(const Measure& measure, std::uint64_t count) {
    constexpr std::uint64_t kMost = 10'000;
    return std::min(measure.warmup.value_or(std::min(count / 10, kMost)), count - 1);
}

std::uint64_t window_of(const Measure& measure, std::uint64_t count, std::uint64_t warmup) {
    const std::uint64_t most = count - warmup;
    return measure.window != 0 ? std::min(measure.window, most) : most;
}

}  // namespace

MeasuredRate::MeasuredRate(const Measure& measure, std::uint64_t count)
    : warmup_(warmup_of(measure, count)), window_(window_of(measure, count, warmup_)), rate_(warmup_, window_) {}

void MeasuredRate::begin(Picoseconds at) {
    rate_.begin(at);
    if (warmup_ == 0 && on_warm_) {
        std::exchange(on_warm_, nullptr)();
    }
}

void MeasuredRate::record(Picoseconds at, std::uint64_t amount) {
    const bool was_complete = complete();
    rate_.record(at, amount);
    if (rate_.events() == warmup_ && on_warm_) {
        std::exchange(on_warm_, nullptr)();
    }
    if (!was_complete && complete() && on_complete_) {
        std::exchange(on_complete_, nullptr)();
    }
}

// Figures that the sample cannot support are left out.
void MeasuredRate::report_trust(Metrics& metrics, const std::string& prefix, std::string_view what,
                                std::optional<bool> steady) const {
    metrics.add(prefix + ".interval", rate_.half_interval_ppm(), Quantity::fraction,
                fmt::format("half the 95 % interval of the {}, by batch means", what));
    metrics.add(
        prefix + ".steady", steady, std::nullopt,
        "1 if both halves of the window have the same rate within 2 %; in an open loop, if latencies do not grow; 0 "
        "if polls fall behind");
}

}  // namespace ndsim

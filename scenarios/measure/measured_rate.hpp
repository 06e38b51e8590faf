// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/measure/rate_window.hpp"

namespace ndsim {

// MeasuredRate: the rate of a generator of `count` events, in the window set by "measure".
class MeasuredRate {
public:
    MeasuredRate(const Measure& measure, std::uint64_t count);

    // Called once when the warm-up is over, and once when the window is complete.
    void on_warm(std::function<void()> callback) { on_warm_ = std::move(callback); }
    void on_complete(std::function<void()> callback) { on_complete_ = std::move(callback); }

    // The generator begins; without a warm-up the window does too.
    void begin(Picoseconds at);
    // An event at `at` that carries `amount` bytes.
    void record(Picoseconds at, std::uint64_t amount);
    // As RateWindow has them.
    [[nodiscard]] bool is_at_edge() const { return rate_.is_at_edge(); }
    void moved(std::uint64_t amount, Picoseconds last) { rate_.moved(amount, last); }

    [[nodiscard]] std::uint64_t warmup() const { return warmup_; }
    [[nodiscard]] std::uint64_t window() const { return window_; }
    // Whether the next event is in the window.
    [[nodiscard]] bool is_measuring() const { return rate_.events() >= warmup_ && !complete(); }
    // Warm-up and window are over.
    [[nodiscard]] bool complete() const { return rate_.measured() == window_; }
    [[nodiscard]] const RateWindow& rate() const { return rate_; }

    // How far to trust the rate; `what` names it, such as "message rate".
    void report_trust(Metrics& metrics, const std::string& prefix, std::string_view what,
                      std::optional<bool> steady) const;

private:
    std::uint64_t warmup_;
    std::uint64_t window_;
    RateWindow rate_;
    std::function<void()> on_warm_;
    std::function<void()> on_complete_;
};

}  // namespace ndsim

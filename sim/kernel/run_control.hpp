// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "sim/base/units.hpp"

namespace ndsim {

// Why a run ended.
enum class RunEnd : std::uint8_t { nothing_left, only_retries, finished, time_limit, item_limit, interrupted };

// RunControl: tells every timeline whether to go on. Stops a run at its time limit, at its limit of work items, or on a
// request from outside; looks at the wall clock only every few thousand items. Other code may stop it as well.
class RunControl {
public:
    static constexpr Picoseconds kNoLimit = Picoseconds::max();
    static constexpr std::uint64_t kCheckEvery = 4096;

    void limit_time(Picoseconds until) { until_ = until; }
    [[nodiscard]] Picoseconds time_limit() const { return until_; }
    void limit_items(std::uint64_t items) {
        item_limit_ = items;
        next_check_ = std::min(next_check_, items);
    }
    // Called about every kCheckEvery items with the simulated time; may call stop().
    void on_check(std::function<void(Picoseconds)> callback) { callback_ = std::move(callback); }

    // Called when a unit is about to retry a refused request, if nothing but retries is left to do; may call stop().
    void on_only_retries(std::function<void(Picoseconds)> callback) { on_only_retries_ = std::move(callback); }
    void only_retries(Picoseconds now) {
        if (on_only_retries_) {
            on_only_retries_(now);
        }
    }

    void stop(RunEnd why) {
        if (!stopped_) {
            stopped_ = true;
            end_ = why;
        }
    }

    // Whether the next item, due at `due`, may be executed.
    [[nodiscard]] bool go_on(Picoseconds due) {
        if (due > until_) {
            stop(RunEnd::time_limit);
        } else if (items_ >= next_check_) {
            check(due);
        }
        if (stopped_) {
            return false;
        }
        ++items_;
        return true;
    }
    // True once: the first caller after the stop tells the kernel, which warns if it is told twice.
    [[nodiscard]] bool first_to_stop_kernel() { return !std::exchange(kernel_told_, true); }

    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] RunEnd end() const { return end_; }
    [[nodiscard]] std::uint64_t items() const { return items_; }

private:
    void check(Picoseconds now) {
        next_check_ = std::min(items_ + kCheckEvery, item_limit_);
        if (items_ >= item_limit_) {
            stop(RunEnd::item_limit);
        } else if (callback_) {
            callback_(now);
        }
    }

    Picoseconds until_ = kNoLimit;
    std::uint64_t item_limit_ = UINT64_MAX;
    std::uint64_t items_ = 0;
    std::uint64_t next_check_ = kCheckEvery;
    bool stopped_ = false;
    bool kernel_told_ = false;
    RunEnd end_ = RunEnd::nothing_left;
    std::function<void(Picoseconds)> callback_;
    std::function<void(Picoseconds)> on_only_retries_;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "ndapi/windows/os/waitable.hpp"

namespace ndsim::os {

// Wait: a thread that waits until one of several objects is ready, or all are. Whoever makes them ready ends it.
class Wait {
public:
    Wait(Core& core, std::span<Waitable* const> objects, bool all) : core_(core), objects_(objects), all_(all) {}
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;
    ~Wait() {
        for (Waitable* const each : objects_) {
            each->remove(*this);
        }
    }

    // Takes what it waits for, if that is there now. True only if it ends by this.
    bool end() {
        const auto is_ready = [this](const Waitable* each) { return each->is_ready(core_); };
        if (by_ || (all_ && !std::ranges::all_of(objects_, is_ready))) {
            return false;
        }
        if (all_) {
            std::ranges::for_each(objects_, [this](Waitable* each) { each->take(core_); });
            by_ = 0;
            return true;
        }
        const auto ready = std::ranges::find_if(objects_, is_ready);
        if (ready == objects_.end()) {
            return false;
        }
        (*ready)->take(core_);
        by_ = static_cast<std::size_t>(ready - objects_.begin());
        return true;
    }
    // From now on others may end it.
    void begin() {
        for (Waitable* const each : objects_) {
            each->add(*this);
        }
    }
    // It has ended, and its thread goes on at this time.
    void wake(Picoseconds at) {
        goes_on_ = at;
        core_.wake(at);
    }
    // The object that has ended it; the first one, if it waits for all.
    [[nodiscard]] std::optional<std::size_t> ended_by() const { return by_; }
    [[nodiscard]] Picoseconds goes_on() const { return goes_on_; }

private:
    Core& core_;
    const std::span<Waitable* const> objects_;
    const bool all_;
    std::optional<std::size_t> by_;
    Picoseconds goes_on_{};
};

}  // namespace ndsim::os

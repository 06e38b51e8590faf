// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <map>

#include "models/host/core.hpp"
#include "sim/kernel/deadlines.hpp"

namespace ndsim::core {

// Callbacks: the core that runs a host's callbacks (its deferred procedure calls), one at a time and in order, and the
// driver's timers. It also knows which core is calling the driver.
class Callbacks {
public:
    Callbacks(Timeline& timeline, RunningCore& running, Core& core);

    // The core that is calling. Outside of software's time (in a command's answer) this is the callback core.
    [[nodiscard]] Core& calling() { return running_.core() != nullptr ? *running_.core() : core_; }
    // Whether a callback is calling.
    [[nodiscard]] bool is_calling() { return &calling() == &core_; }
    // The time of the calling core. It may be ahead of the simulation.
    [[nodiscard]] Picoseconds time() { return std::max(timeline_.now(), calling().clock()); }

    // Runs `call` on the callback core, from `at` on, behind calls for the same time or an earlier one. A core that is
    // ahead of the simulation calls for a time to come.
    void defer(Picoseconds at, std::function<void()> call);
    // An interrupt runs `call`: now, ahead of callbacks for the same time, or when a frozen core goes on.
    void interrupt(std::function<void()> call);
    // What the callback core does. A callback that calls run() never continues itself, but the calls behind it do.
    [[noreturn]] void run();

    // Calls `due` after `span`, unless it is cancelled. The call comes outside of software's time.
    [[nodiscard]] Deadlines::Id set_deadline(Picoseconds span, std::function<void()> due) {
        return deadlines_.set(time() + span, std::move(due));
    }
    // The same at `due`, or now if that has passed.
    [[nodiscard]] Deadlines::Id set_deadline_at(Picoseconds due, std::function<void()> action) {
        return deadlines_.set(std::max(timeline_.now(), due), std::move(action));
    }
    void cancel(const Deadlines::Id& deadline) { deadlines_.cancel(deadline); }

private:
    Timeline& timeline_;
    RunningCore& running_;
    Core& core_;
    Deadlines deadlines_;
    std::multimap<Picoseconds, std::function<void()>> calls_;  // by their times
    std::function<void()> call_;                               // in progress; it may block
};

}  // namespace ndsim::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/stall.hpp"
#include "models/wqe/message_starts.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// WqeTimes: what the work-queue engine does, or waits for, and for how long.
class WqeTimes {
public:
    explicit WqeTimes(Unit& owner);

    // From now on it waits for this. If that is nothing, it works on what has started, or is idle.
    void show(Stall stall, Picoseconds now, const MessageStarts& starts);
    [[nodiscard]] Stall stall() const { return state_.get(); }

private:
    Probe<Stall> state_;
    EngineTimes times_;
};

}  // namespace ndsim

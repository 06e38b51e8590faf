// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ledger/stall.hpp"
#include "models/wqe/message_starts.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// WqeTimes: the activity of the work-queue engine, or what it waits for, and for how long.
class WqeTimes {
public:
    explicit WqeTimes(Unit& owner);

    // From now on the engine waits for this. Without a stall it works on started messages, or is idle.
    void show(Stall stall, Picoseconds now, const MessageStarts& starts);
    [[nodiscard]] Stall stall() const { return state_.get(); }

private:
    Probe<Stall> state_;
    EngineTimes times_;
};

}  // namespace ndsim

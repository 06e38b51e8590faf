// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/engine_times.hpp"

namespace ndsim {

// ResponderTimes: the responder as an engine. It is busy while payload is on its way to PCIe, and blocked while all
// requests, or nothing but those that were set aside, wait for a receive WQE.
class ResponderTimes {
public:
    explicit ResponderTimes(Unit& responder);

    // All requests wait for a receive WQE, or no longer.
    void hold_up(bool held_up);
    // Requests are set aside, or no longer.
    void set_aside(bool any);
    // Payload is being placed, or no more; what has its times has left onto PCIe at `until`.
    void place(bool any, Picoseconds until);

private:
    void enter();

    const Unit& responder_;
    EngineTimes times_;
    bool held_up_ = false;
    bool set_aside_ = false;
    bool placing_ = false;
    Picoseconds issued_until_{};
};

}  // namespace ndsim

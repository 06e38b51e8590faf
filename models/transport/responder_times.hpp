// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/engine_times.hpp"

namespace ndsim {

// ResponderTimes: the responder as an engine. It is busy while payload is on its way to PCIe, and blocked while a
// receive WQE holds up all requests, or only requests that were set aside are left.
class ResponderTimes {
public:
    explicit ResponderTimes(Unit& responder);

    // Whether all requests wait for a receive WQE.
    void hold_up(bool held_up);
    // Whether requests are set aside.
    void set_aside(bool any);
    // Whether payload is being placed; payload with known times has left onto PCIe at `until`.
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

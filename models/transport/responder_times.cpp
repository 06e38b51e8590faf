// SPDX-License-Identifier: Apache-2.0
#include "models/transport/responder_times.hpp"

#include <algorithm>
#include <array>

#include "sim/kernel/unit.hpp"

namespace ndsim {

namespace {

enum State : std::size_t { kAtRest, kPlacing, kReceiveWqe, kParked };
constexpr std::array kStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with payload on its way to PCIe"},
    EngineState{"receive_wqe", "time with all requests held up by a receive WQE being fetched"},
    EngineState{"rq_park", "time with only requests that were set aside"}};

}  // namespace

ResponderTimes::ResponderTimes(Unit& responder) : responder_(responder), times_(responder, {}, kStates) {}

void ResponderTimes::hold_up(bool held_up) {
    held_up_ = held_up;
    enter();
}

void ResponderTimes::set_aside(bool any) {
    set_aside_ = any;
    enter();
}

void ResponderTimes::place(bool any, Picoseconds until) {
    placing_ = any;
    issued_until_ = until;
    enter();
}

void ResponderTimes::enter() {
    const Picoseconds now = responder_.now();
    if (held_up_) {
        times_.enter(kReceiveWqe, now);
        return;
    }
    if (placing_ || issued_until_ > now) {
        times_.enter(kPlacing, now);
    }
    if (!placing_) {
        times_.enter(set_aside_ ? kParked : kAtRest, std::max(now, issued_until_));
    }
}

}  // namespace ndsim

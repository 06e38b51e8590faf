// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "models/ports/lane.hpp"

namespace ndsim {

class Cable;
class LaneFaults;
class Node;
class SwitchPort;

// An end of a cable: a host's NIC, or a port of a switch.
using CableEnd = std::variant<Node*, SwitchPort*>;

// One direction of a cable.
struct LinkLane {
    Cable& cable;
    LaneFaults* faults = nullptr;  // if it has any
};

// Joins two ends: `there` carries from a to b, `back` from b to a.
void join(const CableEnd& a, const CableEnd& b, const LinkLane& there, const LinkLane& back);

// Bytes of payload behind the header that must be at this end's MAC before the next stage starts.
[[nodiscard]] Bytes forward_grain(const CableEnd& end);

// Watchers of packets that arrive at this end are bound to this port.
using ArrivalTaps = sc_core::sc_port<LaneTap, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;
[[nodiscard]] ArrivalTaps& arrival_taps(const CableEnd& end);

}  // namespace ndsim

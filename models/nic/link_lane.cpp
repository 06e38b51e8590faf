// SPDX-License-Identifier: Apache-2.0
#include "models/nic/link_lane.hpp"

#include "models/nic/nic.hpp"
#include "models/nic/node.hpp"
#include "models/switch/switch_port.hpp"
#include "models/wire/cable.hpp"
#include "models/wire/lane_faults.hpp"

namespace ndsim {

namespace {

void send_by(Node& node, const LinkLane& lane) {
    node.nic->tx.lane.bind(lane.cable.in);
    node.nic->dma.forward_at(lane.cable.rate());
    node.nic->rx.back.bind(lane.cable.in);
}
void send_by(SwitchPort& port, const LinkLane& lane) {
    port.lane.bind(lane.cable.in);
}

auto& receiver(Node& node) {
    return node.nic->rx.in;
}
auto& receiver(SwitchPort& port) {
    return port.in;
}

void expect_bunches(Node& node) {
    node.nic->rx.expect_bunches();
}
void expect_bunches(SwitchPort&) {}  // it drops what finds no room, with pause frames as well

auto& pause_in(Node& node) {
    return node.nic->tx.pause_in;
}
auto& pause_in(SwitchPort& port) {
    return port.pause_in;
}

auto& held(Node& node) {
    return node.nic->rx.peer;
}
auto& held(SwitchPort& port) {
    return port.peer;
}

template <class From, class To>
void lead(From& from, const LinkLane& lane, To& to) {
    send_by(from, lane);
    if (lane.faults != nullptr) {
        lane.cable.out.bind(lane.faults->in);
        lane.faults->out.bind(receiver(to));
        if (lane.faults->bunches()) {
            expect_bunches(to);
        }
    } else {
        lane.cable.out.bind(receiver(to));
    }
    held(to).bind(pause_in(from));
}

}  // namespace

void join(const CableEnd& a, const CableEnd& b, const LinkLane& there, const LinkLane& back) {
    std::visit(
        [&](auto* one, auto* other) {
            lead(*one, there, *other);
            lead(*other, back, *one);
        },
        a, b);
}

Bytes forward_grain(const CableEnd& end) {
    const auto* const node = std::get_if<Node*>(&end);
    return node == nullptr ? Bytes{} : (*node)->params.nic.port.forward_grain;
}

ArrivalTaps& arrival_taps(const CableEnd& end) {
    if (const auto* const node = std::get_if<Node*>(&end)) {
        return (*node)->nic->rx.taps;
    }
    return std::get<SwitchPort*>(end)->taps;
}

}  // namespace ndsim

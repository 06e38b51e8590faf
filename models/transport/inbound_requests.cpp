// SPDX-License-Identifier: Apache-2.0
#include "models/transport/inbound_requests.hpp"

#include <algorithm>

#include "models/ports/qp.hpp"

namespace ndsim {

InboundRequests::InboundRequests(Unit& owner, RequestHandler& handler, std::uint32_t places, Ledgers& ledgers,
                                 ResponderTimes& times)
    : owner_(owner),
      handler_(handler),
      ledgers_(ledgers),
      times_(times),
      waits_(owner, "waits", "a message waits for its receive WQE, and all requests behind it"),
      rq_park_(owner, kPool, places) {}

void InboundRequests::receive(const Packet& packet, Interval at) {
    if (blocked_) {
        held_.push({packet, at});
    } else if (!admit(packet, at)) {
        held_.push({packet, at});
        set_blocked(true);
    }
}

void InboundRequests::set_blocked(bool blocked) {
    blocked_ = blocked;
    waits_.set(blocked, owner_.now());
    times_.hold_up(blocked);
}

// False if the packet, and so everything behind it, has to wait.
bool InboundRequests::admit(const Packet& packet, Interval at) {
    const std::uint32_t index = qp_index(packet.destination);
    if (parked_.holds(index)) {
        parked_.add(index, {packet, at});
        return true;
    }
    return handler_.handle(packet, at) || park({packet, at});
}

bool InboundRequests::park(const Arrival& arrival) {
    if (rq_park_.available(owner_.now()) == 0) {
        return false;
    }
    rq_park_.take(1, owner_.now());
    ++parked_messages_;
    parked_.add(qp_index(arrival.packet.destination), arrival);
    times_.set_aside(true);
    return true;
}

// The packet as handled now, after a wait for a receive WQE.
Arrival InboundRequests::late(const Arrival& arrival) {
    const Picoseconds now = owner_.now();
    if (info(arrival.packet.opcode).last) {
        ledgers_.mark(arrival.packet.request, {{Account::rx_buffer, arrival.at.end}, {Account::receive_wqe, now}});
    }
    return {arrival.packet, {std::max(now, arrival.at.start), std::max(now, arrival.at.end)}};
}

void InboundRequests::receive_ready(QpNum qp) {
    const std::uint32_t index = qp_index(qp);
    if (parked_.holds(index)) {
        if (!work_off(index)) {
            return;
        }
        rq_park_.give(1, owner_.now());
        times_.set_aside(!parked_.empty());
        if (blocked_) {
            // The first packet has already asked for its receive.
            (void)park(late(held_.pop()));
            go_on();
        }
    } else if (blocked_ && held_.front().packet.destination == qp) {
        go_on();
    }
}

// Handles the packets set aside of a queue pair. False if a message has to wait again; then it keeps its place.
bool InboundRequests::work_off(std::uint32_t index) {
    while (parked_.holds(index)) {
        const Arrival arrival = late(parked_.front(index));
        if (!handler_.handle(arrival.packet, arrival.at)) {
            ++parked_messages_;
            return false;
        }
        parked_.drop_front(index);
    }
    return true;
}

// Handles the packets held up, until one has to wait again.
void InboundRequests::go_on() {
    set_blocked(false);
    while (!held_.empty()) {
        const Arrival first = late(held_.front());
        if (!admit(first.packet, first.at)) {
            set_blocked(true);
            return;
        }
        held_.pop();
    }
}

}  // namespace ndsim

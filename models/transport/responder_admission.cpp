// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/transport/responder.hpp"

// Which packet is next: one whose message's receive WQE is still being fetched is set aside with those that follow it
// on its queue pair, or, if no more may be, holds up everything behind it.
namespace ndsim {

void Responder::receive(const Packet& packet, Interval at) {
    const Arrival arrival{packet, at};
    if (blocked_) {
        held_.push(arrival);
    } else if (!admit(arrival)) {
        held_.push(arrival);
        set_blocked(true);
    }
}

void Responder::set_blocked(bool blocked) {
    blocked_ = blocked;
    waits_.set(blocked, now());
    note();
}

// False if the packet, and so everything behind it, has to wait.
bool Responder::admit(const Arrival& arrival) {
    const std::uint32_t index = qp_index(arrival.packet.destination);
    if (parked_.holds(index)) {
        parked_.add(index, arrival);
        return true;
    }
    return handle(arrival.packet, arrival.at) || park(arrival);
}

bool Responder::park(const Arrival& arrival) {
    if (rq_park_.available(now()) == 0) {
        return false;
    }
    rq_park_.take(1, now());
    ++parked_messages_;
    parked_.add(qp_index(arrival.packet.destination), arrival);
    note();
    return true;
}

// As it is handled now, after having waited for a receive WQE.
Arrival Responder::late(const Arrival& arrival) {
    if (info(arrival.packet.opcode).last) {
        ledgers_.mark(arrival.packet.request, Account::rx_buffer, arrival.at.end);
        ledgers_.mark(arrival.packet.request, Account::receive_wqe, now());
    }
    return {arrival.packet, {std::max(now(), arrival.at.start), std::max(now(), arrival.at.end)}};
}

void Responder::receive_ready(QpNum qp) {
    const std::uint32_t index = qp_index(qp);
    if (parked_.holds(index)) {
        if (!work_off(index)) {
            return;
        }
        rq_park_.give(1, now());
        note();
        if (blocked_) {
            // The packet in front has asked for its receive already.
            (void)park(late(held_.pop()));
            go_on();
        }
    } else if (blocked_ && held_.front().packet.destination == qp) {
        go_on();
    }
}

// Handles what was set aside of a queue pair. False if a message of it has to wait again; then it keeps its place.
bool Responder::work_off(std::uint32_t index) {
    while (parked_.holds(index)) {
        const Arrival arrival = late(parked_.front(index));
        if (!handle(arrival.packet, arrival.at)) {
            ++parked_messages_;
            return false;
        }
        parked_.drop_front(index);
    }
    return true;
}

// Handles what was held up, until a packet has to wait again.
void Responder::go_on() {
    set_blocked(false);
    while (!held_.empty()) {
        if (!admit(late(held_.front()))) {
            set_blocked(true);
            return;
        }
        held_.pop();
    }
}

}  // namespace ndsim

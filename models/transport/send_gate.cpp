// SPDX-License-Identifier: Apache-2.0
#include "models/transport/send_gate.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "models/parts/ranks.hpp"
#include "models/proto/aeth_credits.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

bool takes_receive(WqeOpcode opcode) {
    return opcode == WqeOpcode::send || opcode == WqeOpcode::send_and_invalidate;
}

}  // namespace

SendGate::SendGate(const sc_core::sc_module_name& name, Timeline& timeline, ReadResponses& reads)
    : Unit(name, timeline),
      reads_(reads),
      reads_end_(*this, timeline, kRankTransport),
      rooms_(*this, timeline, kRankTransport) {
    port.bind(*this);
    reads_.set_owner(*this);
}

void SendGate::create(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    grown(gates_, index) = {};
    gates_[index].invalidate_waits = attributes.invalidate_waits;
}

void SendGate::connect(QpNum qp, const QpConnection& connection) {
    gate(qp).outbound_reads = connection.outbound_reads;
    gate(qp).credits = connection.credits;
}

// Running numbers are consecutive.
bool SendGate::is_under_way(QpNum qp, const WqeHeader& wqe) const {
    const Gate& gate = this->gate(qp);
    return wqe.index - (gate.next_index - gate.under_way) < gate.under_way;
}

void SendGate::begun(QpNum qp, const WqeHeader& wqe) {
    Gate& gate = this->gate(qp);
    gate.next_index = wqe.index + 1;
    ++gate.under_way;
    if (wqe.is_local()) {
        gate.local_under_way = true;
    } else {
        gate.ssn = (gate.ssn + 1) & Psn::kMask;
    }
}

Stall SendGate::may_begin(QpNum qp, const Wqe& wqe) {
    Gate& gate = this->gate(qp);
    if (gate.waits_for_peer) {
        return Stall::rnr;
    }
    if (gate.local_under_way) {
        return Stall::local_operation;
    }
    if (is_under_way(qp, wqe.header)) {
        return Stall::none;
    }
    if (gate.closed) {
        return Stall::local_operation;
    }
    const bool waits_for_all = wqe.header.opcode == WqeOpcode::invalidate && gate.invalidate_waits;
    if ((waits_for_all && gate.under_way > 0) || (wqe.header.has(kWqeReadFence) && fence_holds(qp, gate))) {
        return Stall::fence;
    }
    if (wqe.header.opcode == WqeOpcode::read) {
        if (const Stall stall = may_begin_read(qp, gate, wqe.length()); stall != Stall::none) {
            return stall;
        }
    }
    // One message beyond the limit may go, as a probe [X18].
    const bool is_beyond = gate.credits && Psn{gate.ssn + 1}.ahead_of(Psn{gate.limit + 1}) > 0;
    return is_beyond && takes_receive(wqe.header.opcode) ? Stall::credits : Stall::none;
}

bool SendGate::fence_holds(QpNum qp, const Gate& gate) {
    if (gate.open_reads > 0 || gate.reads_placed > 0) {
        return true;
    }
    if (gate.visible > now()) {
        reads_end_.push(gate.visible, qp);
        return true;
    }
    return false;
}

// Without agreed Reads, the requester refuses the request.
Stall SendGate::may_begin_read(QpNum qp, Gate& gate, std::uint32_t length) {
    const bool one_arrives = gate.arrived > now();
    if (gate.outbound_reads > 0 && gate.open_reads + (one_arrives ? 1 : 0) >= gate.outbound_reads) {
        if (one_arrives) {
            reads_end_.push(gate.arrived, qp);
        }
        return Stall::read_limit;
    }
    if (!reads_.has_room(length)) {
        if (!std::exchange(gate.waits_for_room, true)) {
            waiting_for_room_.push_back(qp);
        }
        if (const auto when = reads_.room_at(length)) {
            look_at(*when);
        }
        return Stall::read_buffer;
    }
    return Stall::none;
}

void SendGate::read_placed(QpNum qp, Picoseconds at) {
    --gate(qp).open_reads;
    ++gate(qp).reads_placed;
    gate(qp).arrived = at;
}

void SendGate::read_visible(QpNum qp, Picoseconds when) {
    Gate& gate = this->gate(qp);
    --gate.reads_placed;
    gate.visible = std::max(gate.visible, when);
    if (gate.reads_placed == 0) {
        work->resume_qp(qp);
    }
}

void SendGate::read_room(Picoseconds when) {
    if (!waiting_for_room_.empty()) {
        look_at(std::max(now(), when));
    }
}

// A queue pair that finds no room then asks for the next look.
void SendGate::look_at(Picoseconds when) {
    rooms_.set(std::min(when, rooms_.due().value_or(Picoseconds::max())));
}

// In turns: who takes room and wants more waits behind those that find none.
void SendGate::look_for_room() {
    std::swap(looking_for_room_, waiting_for_room_);
    for (const QpNum qp : looking_for_room_) {
        gate(qp).waits_for_room = false;
        gate(qp).had_room = false;
        work->resume_qp(qp);
    }
    looking_for_room_.clear();
    for (const bool had_room : {false, true}) {
        std::ranges::copy_if(waiting_for_room_, std::back_inserter(looking_for_room_),
                             [&](QpNum qp) { return gate(qp).had_room == had_room; });
    }
    std::swap(looking_for_room_, waiting_for_room_);
    looking_for_room_.clear();
}

void SendGate::take_credits(QpNum qp, const Aeth& aeth) {
    if (!gate(qp).credits) {
        return;
    }
    const std::optional<std::uint32_t> credits = credits_of(aeth.syndrome & 0x1FU);
    if (!credits) {
        gate(qp).credits = false;
        return;
    }
    raise_limit(qp, (aeth.msn + *credits) & Psn::kMask);
}

void SendGate::raise_limit(QpNum qp, std::uint32_t limit) {
    if (Psn{limit}.ahead_of(Psn{gate(qp).limit}) > 0) {
        gate(qp).limit = limit;
    }
}

}  // namespace ndsim

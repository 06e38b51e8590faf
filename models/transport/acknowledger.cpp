// SPDX-License-Identifier: Apache-2.0
#include "models/transport/acknowledger.hpp"

#include <utility>

#include "models/parts/qp_watch.hpp"
#include "models/proto/aeth_credits.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

Acknowledger::Acknowledger(const Unit& owner, Picoseconds tx_pipe, sc_core::sc_port<EgressPort>& egress,
                           sc_core::sc_port<ReceiveQueuePort>& receives)
    : owner_(owner), tx_pipe_(tx_pipe), egress_(egress), receives_(receives) {}

void Acknowledger::create(QpNum qp, QpWatch* watch) {
    const std::uint32_t index = qp_index(qp);
    grown(peers_, index) = {};
    peers_[index].watch = watch;
}

void Acknowledger::connect(QpNum qp, const QpConnection& connection) {
    Peer& peer = of(qp);
    peer.qp = connection.peer;
    peer.host = connection.peer_host;
    peer.gets_credits = connection.gives_credits;
    peer.state.begin(connection.expected_psn);
}

void Acknowledger::destroy(QpNum qp) {
    of(qp).state.give_up();
    if (QpWatch* const watch = std::exchange(of(qp).watch, nullptr)) {
        of(qp).shown_reads.show(watch->inbound_reads, 0, owner_.now());
    }
}

std::uint32_t Acknowledger::accept(QpNum qp, Psn last, bool ends_message, bool asks) {
    Peer& peer = of(qp);
    if (ends_message) {
        peer.msn = (peer.msn + 1) & Psn::kMask;
    }
    return peer.state.accept(last, peer.msn, asks);
}

void Acknowledger::executed(QpNum qp, std::uint32_t number, Picoseconds at) {
    if (const auto leave = of(qp).state.executed(number, at + tx_pipe_)) {
        egress_->send_ack(qp, *leave);
        if (const auto nak = of(qp).state.nak_behind()) {
            egress_->send_ack(qp, *nak);
        }
    }
}

void Acknowledger::refuse(QpNum qp, Psn psn, std::uint8_t nak, Picoseconds at) {
    if (const auto leave = of(qp).state.refuse(nak, psn, at + tx_pipe_)) {
        egress_->send_ack(qp, *leave);
    }
}

void Acknowledger::read_begins(QpNum qp, Psn first, Psn end, bool again) {
    of(qp).state.read_begins(first, end, again);
    show_reads(of(qp));
}

void Acknowledger::cut_reads(QpNum qp, Psn psn, std::size_t behind) {
    of(qp).state.cut_read(behind, psn, true);
    show_reads(of(qp));
}

void Acknowledger::cut_repeated_read(QpNum qp, Psn psn, std::size_t behind) {
    if (of(qp).state.cut_read(behind, psn, false)) {
        egress_->send_ack(qp, owner_.now());
    }
    show_reads(of(qp));
}

void Acknowledger::give_up(QpNum qp) {
    of(qp).state.give_up();
    show_reads(of(qp));
}

// The watch counts Reads answered for the first time.
void Acknowledger::show_reads(Peer& peer) {
    if (peer.watch != nullptr) {
        const auto reads = static_cast<std::uint32_t>(peer.state.new_reads());
        peer.shown_reads.show(peer.watch->inbound_reads, reads, owner_.now());
    }
}

std::optional<Packet> Acknowledger::make_ack(QpNum qp) {
    Peer& peer = of(qp);
    const std::optional<AckState::Answer> due = peer.state.answer(owner_.now());
    if (!due) {
        return std::nullopt;
    }
    const AckState::Answer& answer = *due;
    // A NAK acknowledges everything before it.
    const Psn covered = answer.syndrome < Aeth::kRnrNak ? answer.psn : answer.psn - 1;
    if (!peer.state.covers_only_executed(covered, owner_.now())) {
        throw InvariantError(owner_.name(), owner_.now(), "an acknowledgement covers a request that is not executed");
    }
    naks_ += answer.syndrome < Aeth::kRnrNak ? 0 : 1;
    Packet ack;
    ack.opcode = Opcode::acknowledge;
    ack.destination = peer.qp;
    ack.source = qp;
    ack.to = peer.host;
    ack.psn = answer.psn;
    ack.aeth = {answer.syndrome, answer.msn};
    if (peer.gets_credits && answer.syndrome == Aeth::kAck) {
        ack.aeth.syndrome = credit_code(receives_->posted(qp));
    }
    return ack;
}

void Acknowledger::response_sent(const Packet& packet) {
    if (of(packet.source).state.response_sent(packet.psn)) {
        egress_->send_ack(packet.source, owner_.now());
    }
    show_reads(of(packet.source));
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/transport/responder.hpp"

#include <algorithm>

#include "models/ports/qp_watch.hpp"
#include "models/proto/aeth_credits.hpp"
#include "models/proto/packet_work.hpp"
#include "models/proto/segment.hpp"
#include "sim/base/error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

Responder::Responder(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     Picoseconds tx_pipe, std::uint8_t rnr_timer, HostId host, Ledgers& ledgers, PayloadPool& payloads,
                     ReadResponder& reads)
    : Unit(name, timeline),
      params_(params),
      tx_pipe_(tx_pipe),
      rnr_timer_(rnr_timer),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      reads_(reads),
      times_(*this, {}, states()),
      rq_park_(*this, kRqParkPool, params.rq_park) {
    acks.bind(*this);
    receive_events.bind(*this);
    lifecycle.bind(*this);
    reads_.set_owner(*this);
}

void Responder::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    while (receivers_.size() <= index) {
        receivers_.emplace_back();
    }
    receivers_[index] = {};
    receivers_[index].qp = attributes.qp;
    receivers_[index].pd = attributes.pd;
    receivers_[index].cq = attributes.receive_cq;
    receivers_[index].watch = attributes.watch;
}

void Responder::connect_qp(QpNum qp, const QpConnection& connection) {
    Receiver& receiver = receivers_[qp_index(qp)];
    receiver.peer = connection.peer;
    receiver.peer_host = connection.peer_host;
    receiver.mtu = connection.mtu;
    receiver.inbound_reads = connection.inbound_reads;
    receiver.gives_credits = connection.gives_credits;
    receiver.expected = connection.expected_psn;
    receiver.ack.begin(connection.expected_psn);
    receiver.connected = true;
}

bool Responder::handle(const Packet& packet, Interval at) {
    Receiver& receiver = receivers_.at(qp_index(packet.destination));
    if (!receiver.connected || receiver.qp != packet.destination || receiver.failed || receiver.refused) {
        drop(packet);  // packets to a queue pair in error, or to one that is gone, get no answer [X33]
        return true;
    }
    if (const std::int32_t ahead = packet.psn.ahead_of(receiver.expected); ahead != 0) {
        if (ahead < 0) {
            handle_duplicate(receiver, packet);
        } else if (!receiver.ack.nak_open()) {
            ask_again(receiver, packet, Aeth::kNakSequence);
        } else {
            drop(packet);
        }
        return true;
    }
    receiver.ack.withdraw_nak();
    if (!well_formed(receiver, packet)) {
        fail_message(receiver, packet, WcStatus::loc_qp_op, Aeth::kNakInvalidRequest);
        return true;
    }
    if (packet.opcode == Opcode::read_request) {
        handle_read(receiver, packet, at);
        return true;
    }
    if (!receiver.open) {
        if (const Start start = start_message(receiver, packet); start != Start::started) {
            return start == Start::refused;
        }
    } else if (!may_go_on(receiver)) {
        fail_message(receiver, packet, WcStatus::loc_access, Aeth::kNakRemoteAccess);
        return true;
    }
    // Longer than the receive, or a Write that is not as long as it said.
    const std::uint32_t reached = receiver.offset + packet.payload_bytes;
    const bool short_write =
        receiver.operation == Operation::write && info(packet.opcode).last && reached < receiver.capacity;
    if (reached > receiver.capacity || short_write) {
        fail_message(receiver, packet, WcStatus::loc_len, Aeth::kNakInvalidRequest);
        return true;
    }
    ++packets_;
    ++receiver.expected;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request.number, now());
    if (info(packet.opcode).last) {
        ledgers_.mark(packet.request, Account::rx_buffer, at.end);
        ledgers_.mark({host_, receiver.wqe.header.request}, Account::message, at.end);
        receiver.msn = (receiver.msn + 1) & Psn::kMask;
    }
    place(receiver, packet, at);
    if (info(packet.opcode).last) {
        finish_message(receiver, packet, at);
    }
    return true;
}

// First and middle packets are full, last ones not empty, and they come in this order [X5].
bool Responder::well_formed(const Receiver& receiver, const Packet& packet) {
    const OpcodeInfo& what = info(packet.opcode);
    if (what.first == receiver.open || (receiver.open && what.operation != receiver.operation)) {
        return false;
    }
    if (!what.last) {
        return packet.payload_bytes == receiver.mtu;
    }
    return packet.payload_bytes <= receiver.mtu && (what.first || packet.payload_bytes > 0);
}

// Executed once already: its answer is given again [X9, X11].
void Responder::handle_duplicate(Receiver& receiver, const Packet& packet) {
    ++duplicates_;
    if (packet.opcode != Opcode::read_request) {
        if (packet.ack_request) {
            egress->send_ack(packet.destination, now() + tx_pipe_);
        }
        drop(packet);
        return;
    }
    for (std::size_t i = 0; i < receiver.read_history.size(); ++i) {
        const ReadJob& done = receiver.read_history[i];
        const auto packets = static_cast<std::uint32_t>(packet.psn.ahead_of(done.first));
        const std::uint64_t offset = std::uint64_t{packets} * receiver.mtu;
        if (packet.key == done.key && offset + packet.dma_length <= done.length &&
            raw(packet.remote) == raw(done.remote) + offset) {
            ReadJob again = done;
            again.first = packet.psn;
            again.remote = packet.remote;
            again.length = packet.dma_length;
            again.again = true;
            // It may be an old one, that the link has held back: if its key is gone it is no fault [class D].
            if (again.length > 0 &&
                !protection->allows({again.key, again.pd, again.qp, again.remote, again.length, kRemoteRead})) {
                break;
            }
            rx_buffer->drained(wire_bytes(packet), now());
            receiver.ack.read_begins(again.first, again.first + packet_count(again.length, receiver.mtu), true);
            reads_.add(again);
            return;
        }
    }
    drop(packet);
}

void Responder::handle_read(Receiver& receiver, const Packet& packet, Interval at) {
    if (receiver.ack.new_reads() >= receiver.inbound_reads) {
        fail_message(receiver, packet, WcStatus::loc_qp_op, Aeth::kNakInvalidRequest);  // [X29]
        return;
    }
    const KeyUse use{packet.key, receiver.pd, packet.destination, packet.remote, packet.dma_length, kRemoteRead};
    if (use.length > 0 && !protection->allows(use)) {
        fail_message(receiver, packet, WcStatus::loc_access, Aeth::kNakRemoteAccess);
        return;
    }
    ++packets_;
    ++messages_;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request.number, now());
    executing_.done(at, [&] { return work_of(packet, packet.destination); });
    ledgers_.mark(packet.request, Account::rx_buffer, at.end);
    rx_buffer->drained(wire_bytes(packet), at.end);
    receiver.msn = (receiver.msn + 1) & Psn::kMask;
    const ReadJob job{packet.destination, receiver.peer, receiver.peer_host, receiver.pd,
                      receiver.mtu,       packet.key,    packet.remote,      packet.dma_length,
                      packet.psn,         receiver.msn,  packet.request};
    receiver.expected = packet.psn + packet_count(packet.dma_length, receiver.mtu);
    const std::uint32_t number = receiver.ack.accept(receiver.expected - 1, receiver.msn, false);
    receiver.ack.read_begins(job.first, receiver.expected);
    show_reads(receiver);
    executed(packet.destination, number, at.end);
    receiver.read_history.push(job);
    if (receiver.read_history.size() > receiver.inbound_reads) {
        receiver.read_history.pop();
    }
    reads_.add(job);
}

// The request counts as executed from `at` on.
void Responder::executed(QpNum qp, std::uint32_t number, Picoseconds at) {
    if (const auto leave = receivers_[qp_index(qp)].ack.executed(number, at + tx_pipe_)) {
        egress->send_ack(qp, *leave);
    }
}

void Responder::drop(const Packet& packet) {
    ++dropped_;
    executing_.done({now(), now()}, [&] {
        Work work = work_of(packet, packet.destination);
        work.what = "dropped";
        return work;
    });
    payloads_.give(packet.payload);
    rx_buffer->drained(wire_bytes(packet), now());
}

Packet Responder::make_ack(QpNum qp) {
    Receiver& receiver = receivers_[qp_index(qp)];
    const AckState::Answer answer = receiver.ack.answer(now());
    // A NAK acknowledges what is before it.
    if (!receiver.ack.covers_only_executed(answer.syndrome < Aeth::kRnrNak ? answer.psn : answer.psn - 1, now())) {
        throw InvariantError(name(), now(), "an acknowledgement covers a request that is not executed");
    }
    Packet ack;
    ack.opcode = Opcode::acknowledge;
    ack.destination = receiver.peer;
    ack.source = qp;
    ack.to = receiver.peer_host;
    ack.psn = answer.psn;
    ack.aeth = {answer.syndrome, answer.msn};
    if (receiver.gives_credits && answer.syndrome == Aeth::kAck) {
        ack.aeth.syndrome = credit_code(receives->posted(qp));
    }
    return ack;
}

void Responder::response_sent(const Packet& packet) {
    Receiver& receiver = receivers_[qp_index(packet.source)];
    if (receiver.ack.response_sent(packet.psn)) {
        egress->send_ack(packet.source, now());
    }
    show_reads(receiver);
}

// What was accepted before a request that was refused still gets its answer, and the NAK behind it.
void Responder::fail_qp(QpNum qp) {
    Receiver& receiver = receivers_.at(qp_index(qp));
    receiver.failed = true;
    // A message that is half there has a receive, which is flushed like those behind it.
    if (std::exchange(receiver.open, false) && receiver.operation == Operation::send) {
        Packet nothing;
        nothing.destination = qp;
        ledgers_.mark({host_, receiver.wqe.header.request}, Account::message, now());
        complete_receive(receiver, nothing, WcStatus::wr_flush, now());
    }
    if (!receiver.refused) {
        receiver.ack.drop_reads();
        show_reads(receiver);
        reads_.drop(qp);
    }
}

void Responder::destroy_qp(QpNum qp) {
    Receiver& receiver = receivers_.at(qp_index(qp));
    receiver.connected = false;
    if (QpWatch* const watch = std::exchange(receiver.watch, nullptr)) {
        watch->inbound_reads.give(receiver.watched_reads, now());
    }
}

void Responder::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "request packets executed");
    sink.add("messages", messages_, StatUnit::count, "messages received");
    sink.add("rnr_naks", rnr_naks_, StatUnit::count, "messages refused because no receive was posted");
    sink.add("naks", naks_, StatUnit::count, "negative acknowledgements sent, RNR included");
    sink.add("parked", parked_messages_, StatUnit::count, "messages set aside until their receive WQE was there");
    sink.add("duplicates", duplicates_, StatUnit::count, "request packets that came again");
    sink.add("dropped", dropped_, StatUnit::count, "request packets dropped");
}

void Responder::check_idle() const {
    if (!held_.empty() || !parked_.empty() || free_writes_.size() != writes_.size()) {
        throw InvariantError(name(), now(), "request packets are still in work at the end");
    }
}

}  // namespace ndsim

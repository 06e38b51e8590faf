// SPDX-License-Identifier: Apache-2.0
#include "models/transport/responder.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace ndsim {

Responder::Responder(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     Picoseconds tx_pipe, std::uint8_t rnr_timer, HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      tx_pipe_(tx_pipe),
      rnr_timer_(rnr_timer),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads) {
    acks.bind(*this);
    receive_events.bind(*this);
    lifecycle.bind(*this);
}

void Responder::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (receivers_.size() <= index) {
        receivers_.resize(index + 1);
    }
    receivers_[index].pd = attributes.pd;
    receivers_[index].cq = attributes.receive_cq;
}

void Responder::connect_qp(QpNum qp, const QpConnection& connection) {
    Receiver& receiver = receivers_[qp_index(qp)];
    receiver.peer = connection.peer;
    receiver.expected = connection.expected_psn;
    receiver.acknowledged.psn = connection.expected_psn - 1;
    receiver.connected = true;
}

void Responder::receive(const Packet& packet, Interval at) {
    if (blocked_) {
        held_.push({packet, at});
        return;
    }
    if (!handle(packet, at)) {
        blocked_ = true;
        waits_.set(true, now());
        held_.push({packet, at});
    }
}

void Responder::receive_ready(QpNum) {
    if (!blocked_) {
        return;
    }
    blocked_ = false;
    waits_.set(false, now());
    while (!held_.empty()) {
        const Arrival arrival = held_.front();
        const Interval at{std::max(now(), arrival.at.start), std::max(now(), arrival.at.end)};
        if (info(arrival.packet.opcode).last) {
            ledgers_.mark(arrival.packet.request, Account::rx_buffer, arrival.at.end);
            ledgers_.mark(arrival.packet.request, Account::receive_wqe, now());
        }
        if (!handle(arrival.packet, at)) {
            blocked_ = true;
            waits_.set(true, now());
            return;
        }
        held_.pop();
    }
}

bool Responder::handle(const Packet& packet, Interval at) {
    Receiver& receiver = receivers_.at(qp_index(packet.destination));
    if (!receiver.connected || receiver.failed || receiver.nak != Aeth::kAck) {
        drop(packet);  // packets to a queue pair in error get no answer [X33]
        return true;
    }
    if (packet.psn != receiver.expected) {
        throw InvariantError(name(), now(),
                             "PSN " + std::to_string(packet.psn.value()) + " on a lossless link, expected " +
                                 std::to_string(receiver.expected.value()));
    }
    if (!receiver.open) {
        bool waits = false;
        if (!start_message(receiver, packet, waits)) {
            return !waits;
        }
    }
    if (receiver.offset + packet.payload_bytes > receiver.capacity) {
        if (receiver.operation == Operation::write) {
            fail_write(receiver, packet, Aeth::kNakInvalidRequest);
        } else {
            fail_receive(receiver, packet, WcStatus::loc_len, Aeth::kNakInvalidRequest);
        }
        return true;
    }
    ++packets_;
    ++receiver.expected;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request.number, now());
    if (info(packet.opcode).last) {
        ledgers_.mark(packet.request, Account::rx_buffer, at.end);
        ledgers_.mark({host_, receiver.wqe.header.request}, Account::message, at.end);
        receiver.msn = (receiver.msn + 1) & 0xFF'FFFFU;
    }
    place(receiver, packet, at);
    if (info(packet.opcode).last) {
        finish_message(receiver, packet, at);
    }
    return true;
}

// False if the packet cannot be executed: it waits, or it was refused.
bool Responder::start_message(Receiver& receiver, const Packet& packet, bool& waits) {
    receiver.operation = info(packet.opcode).operation;
    if (!(receiver.operation == Operation::write ? start_write(receiver, packet)
                                                 : start_send(receiver, packet, waits))) {
        return false;
    }
    receiver.open = true;
    receiver.capacity = receiver.target.length();
    receiver.offset = 0;
    return true;
}

// A Write takes no receive; its key is checked once, for the whole message [X26].
bool Responder::start_write(Receiver& receiver, const Packet& packet) {
    const KeyUse use{packet.key, receiver.pd, packet.destination, packet.remote, packet.dma_length, kRemoteWrite};
    std::vector<HostRange>& ranges = receiver.target.restart();
    if (use.length > 0 && !protection->allows(use, &ranges)) {
        fail_write(receiver, packet, Aeth::kNakRemoteAccess);
        return false;
    }
    receiver.wqe.header = {.opcode = WqeOpcode::write};
    return true;
}

bool Responder::start_send(Receiver& receiver, const Packet& packet, bool& waits) {
    switch (receives->take(packet.destination, receiver.wqe)) {
        case ReceiveTake::under_way:
            waits = true;
            return false;
        case ReceiveTake::none_posted:
            ++rnr_naks_;
            refuse(receiver, packet, Aeth::kRnrNak | rnr_timer_);
            return false;
        case ReceiveTake::taken:
            break;
    }
    if (!writable(receiver, packet.destination)) {
        fail_receive(receiver, packet, WcStatus::loc_prot, Aeth::kNakRemoteOperational);
        return false;
    }
    return true;
}

// Whether the receive's buffers may be written; then they are the message's target.
bool Responder::writable(Receiver& receiver, QpNum qp) {
    std::vector<HostRange>& ranges = receiver.target.restart();
    return std::all_of(receiver.wqe.sges.begin(), receiver.wqe.sges.end(), [&](const Sge& sge) {
        return protection->allows({sge.key, receiver.pd, qp, sge.address, sge.length, kLocalWrite}, &ranges);
    });
}

void Responder::place(Receiver& receiver, const Packet& packet, Interval at) {
    receiver.accepted.push({packet.psn, receiver.msn, kNotYet});
    if (packet.payload_bytes == 0 || params_.ack_point == AckPoint::accepted) {
        executed(packet, at.end);
    }
    if (packet.payload_bytes == 0) {
        rx_buffer->drained(wire_bytes(packet), at.end);
        return;
    }
    std::uint32_t slot = 0;
    if (free_writes_.empty()) {
        slot = static_cast<std::uint32_t>(writes_.size());
        writes_.emplace_back();
    } else {
        slot = free_writes_.back();
        free_writes_.pop_back();
    }
    writes_[slot] = {packet, receiver.wqe.header.request};
    std::uint32_t done = 0;
    receiver.target.advance(packet.payload_bytes, [&](Address to, std::uint32_t length) {
        WriteTrain train;
        train.to = to;
        train.length = length;
        train.payload = packet.payload;
        train.offset = done;
        done += length;
        train.last_use = done == packet.payload_bytes;
        train.ready = at;
        train.token = slot;
        train.use = TlpUse::payload;
        dma->write(train, train.last_use ? this : nullptr);
    });
    receiver.offset += packet.payload_bytes;
}

void Responder::write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) {
    const Write write = writes_[slot];
    free_writes_.push_back(slot);
    rx_buffer->drained(wire_bytes(write.packet), issued);
    const bool last = info(write.packet.opcode).last;
    if (last) {
        ledgers_.mark({host_, write.receive}, Account::dma_write, visible);
    }
    if (params_.ack_point == AckPoint::accepted) {
        return;
    }
    const Picoseconds at = params_.ack_point == AckPoint::visible ? visible : issued;
    if (last) {
        ledgers_.mark(write.packet.request, Account::dma_write, at);
    }
    executed(write.packet, at);
}

// The packet counts as executed from `at` on. Acknowledgements go by PSN, so an empty message may be done before
// the payload in front of it, whose acknowledgement then covers both.
void Responder::executed(const Packet& packet, Picoseconds at) {
    Receiver& receiver = receivers_[qp_index(packet.destination)];
    const auto index = static_cast<std::size_t>(packet.psn.ahead_of(receiver.accepted.front().psn));
    const Picoseconds due = at + tx_pipe_;
    receiver.accepted[index].at = due;
    const bool covered = index > 0 && receiver.accepted[index - 1].at > due;
    if (!covered && (packet.ack_request || receiver.nak != Aeth::kAck)) {
        egress->send_ack(packet.destination, due);
    }
}

void Responder::finish_message(Receiver& receiver, const Packet& packet, Interval at) {
    ++messages_;
    receiver.open = false;
    if (receiver.operation == Operation::write) {
        return;  // nobody is told [K143]
    }
    Cqe cqe;
    cqe.qp = packet.destination;
    cqe.wqe_index = receiver.wqe.header.index;
    cqe.bytes = receiver.offset;
    cqe.opcode = WqeOpcode::receive;
    cqe.solicited = packet.solicited;
    cqe.request = receiver.wqe.header.request;
    completions->complete(receiver.cq, cqe, at.end, true);
}

void Responder::refuse(Receiver& receiver, const Packet& packet, std::uint8_t nak) {
    ++naks_;
    receiver.nak = nak;
    // It also acknowledges everything before, so it follows that; executed() sees to what is not yet known.
    Picoseconds due = now() + tx_pipe_;
    for (std::size_t i = 0; i < receiver.accepted.size(); ++i) {
        due = std::max(due, receiver.accepted[i].at);
    }
    if (due != kNotYet) {
        egress->send_ack(packet.destination, due);
    }
    drop(packet);
}

void Responder::fail_receive(Receiver& receiver, const Packet& packet, WcStatus status, std::uint8_t nak) {
    Cqe cqe;
    cqe.qp = packet.destination;
    cqe.wqe_index = receiver.wqe.header.index;
    cqe.opcode = WqeOpcode::receive;
    cqe.status = status;
    cqe.request = receiver.wqe.header.request;
    refuse(receiver, packet, nak);
    ledgers_.mark({host_, cqe.request}, Account::message, now());
    completions->complete(receiver.cq, cqe, now(), true);
    faults->qp_failed(packet.destination);
}

void Responder::fail_write(Receiver& receiver, const Packet& packet, std::uint8_t nak) {
    refuse(receiver, packet, nak);
    faults->qp_failed(packet.destination);
}

void Responder::drop(const Packet& packet) {
    ++dropped_;
    payloads_.give(packet.payload);
    rx_buffer->drained(wire_bytes(packet), now());
}

Packet Responder::make_ack(QpNum qp) {
    Receiver& receiver = receivers_[qp_index(qp)];
    while (!receiver.accepted.empty() && receiver.accepted.front().at <= now()) {
        receiver.acknowledged = receiver.accepted.pop();
    }
    Packet ack;
    ack.opcode = Opcode::acknowledge;
    ack.destination = receiver.peer;
    ack.source = qp;
    ack.psn = receiver.acknowledged.psn;
    ack.aeth = {Aeth::kAck, receiver.acknowledged.msn};
    if (receiver.nak != Aeth::kAck && receiver.accepted.empty()) {
        ack.aeth.syndrome = receiver.nak;
        ack.psn = receiver.expected;
    }
    return ack;
}

void Responder::fail_qp(QpNum qp) {
    receivers_.at(qp_index(qp)).failed = true;
}

void Responder::destroy_qp(QpNum qp) {
    receivers_.at(qp_index(qp)).connected = false;
}

void Responder::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "request packets executed");
    sink.add("messages", messages_, StatUnit::count, "messages received");
    sink.add("rnr_naks", rnr_naks_, StatUnit::count, "messages refused because no receive was posted");
    sink.add("naks", naks_, StatUnit::count, "negative acknowledgements sent, RNR included");
    sink.add("dropped", dropped_, StatUnit::count, "request packets dropped");
}

void Responder::check_idle() const {
    if (!held_.empty() || free_writes_.size() != writes_.size()) {
        throw InvariantError(name(), now(), "request packets are still in work at the end");
    }
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/proto/packet_work.hpp"
#include "models/transport/responder.hpp"
#include "models/transport/scatter.hpp"
#include "sim/base/slots.hpp"

// How a Send or a Write is carried out, from its first packet to its completion.
namespace ndsim {

Responder::Start Responder::start_message(Receiver& receiver, const Packet& packet) {
    receiver.operation = info(packet.opcode).operation;
    const Start start =
        receiver.operation == Operation::write ? start_write(receiver, packet) : start_send(receiver, packet);
    if (start == Start::started) {
        receiver.open = true;
        receiver.capacity = receiver.target.length();
        receiver.offset = 0;
    }
    return start;
}

// A Write takes no receive; its key is checked for the whole message [X26].
Responder::Start Responder::start_write(Receiver& receiver, const Packet& packet) {
    const KeyUse use{packet.key, receiver.pd, packet.destination, packet.remote, packet.dma_length, kRemoteWrite};
    std::vector<HostRange>& ranges = receiver.target.restart();
    if (use.length > 0 && !protection->allows(use, &ranges)) {
        fail_message(receiver, packet, WcStatus::loc_access, Aeth::kNakRemoteAccess);
        return Start::refused;
    }
    receiver.written = use;
    receiver.wqe.header = {.opcode = WqeOpcode::write};
    return Start::started;
}

// Whether the key of a Write that has begun is still alive: it may die under way (R55).
bool Responder::may_go_on(const Receiver& receiver) const {
    return receiver.operation != Operation::write || protection->allows(receiver.written);
}

Responder::Start Responder::start_send(Receiver& receiver, const Packet& packet) {
    switch (receives->take(packet.destination, receiver.wqe)) {
        case ReceiveTake::under_way:
            return Start::waits;
        case ReceiveTake::none_posted:
            ++rnr_naks_;
            ask_again(receiver, packet, Aeth::kRnrNak | rnr_timer_);
            return Start::refused;
        case ReceiveTake::taken:
            break;
    }
    receiver.open = true;  // it has a receive, which completes however the message ends
    if (!writable(receiver, packet.destination)) {
        fail_message(receiver, packet, WcStatus::loc_prot, Aeth::kNakRemoteOperational);
        return Start::refused;
    }
    return Start::started;
}

// Whether the receive's buffers may be written; then they are the message's target.
bool Responder::writable(Receiver& receiver, QpNum qp) {
    std::vector<HostRange>& ranges = receiver.target.restart();
    return std::all_of(receiver.wqe.sges.begin(), receiver.wqe.sges.end(), [&](const Sge& sge) {
        return protection->allows({sge.key, receiver.pd, qp, sge.address, sge.length, kLocalWrite}, &ranges);
    });
}

void Responder::place(Receiver& receiver, const Packet& packet, Interval at) {
    const std::uint32_t number = receiver.ack.accept(packet.psn, receiver.msn, packet.ack_request);
    if (packet.payload_bytes == 0 || params_.ack_point == AckPoint::accepted) {
        executed(packet.destination, number, at.end);
    }
    const auto describe = [&packet] { return work_of(packet, packet.destination); };
    if (packet.payload_bytes == 0) {
        rx_buffer->drained(wire_bytes(packet), at.end);
        executing_.done(at, describe);
        return;
    }
    const std::uint32_t slot = take_slot(writes_, free_writes_);
    executing_.begin(slot, at.start, describe);
    writes_[slot] = {packet, number, receiver.wqe.header.request};
    note();
    scatter(*dma.operator->(), receiver.target, packet, at, slot, *this);
    receiver.offset += packet.payload_bytes;
    receiver.placed.add(packet.payload_bytes, at.end);
}

void Responder::write_waited(std::uint32_t slot, Interval wait) {
    const Write& write = writes_[slot];
    if (!info(write.packet.opcode).last) {
        return;
    }
    for (const RequestId request : {RequestId{host_, write.receive}, write.packet.request}) {
        ledgers_.mark(request, Account::dma_write, wait.start);
        ledgers_.mark(request, Account::credits, wait.end);
    }
}

void Responder::write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) {
    const Write write = writes_[slot];
    free_writes_.push_back(slot);
    issued_until_ = std::max(issued_until_, issued);
    note();
    executing_.end(slot, visible);
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
    executed(write.packet.destination, write.number, at);
}

void Responder::finish_message(Receiver& receiver, const Packet& packet, Interval at) {
    ++messages_;
    receiver.open = false;
    if (receiver.operation == Operation::write) {
        return;  // nobody is told [K143]
    }
    if (!info(packet.opcode).has(kIeth)) {
        complete_receive(receiver, packet, WcStatus::success, at.end);
        return;
    }
    // The key dies when its last packet is here, and its completion follows that [K110, X35].
    const bool invalidated = keys->invalidate(packet.key, receiver.pd, packet.destination);
    const WcStatus status = invalidated ? WcStatus::success : WcStatus::invalidate_error;
    complete_receive(receiver, packet, status, at.end + params_.key_update);
    if (!invalidated) {
        // The data is placed, but neither ACK nor NAK goes back [X38].
        receiver.refused = true;
        receiver.ack.fall_silent(packet.psn);
        faults->qp_failed(packet.destination, status);
    }
}

void Responder::complete_receive(Receiver& receiver, const Packet& packet, WcStatus status, Picoseconds at) {
    Cqe cqe;
    cqe.qp = packet.destination;
    cqe.wqe_index = receiver.wqe.header.index;
    cqe.opcode = WqeOpcode::receive;
    cqe.status = status;
    cqe.request = receiver.wqe.header.request;
    if (status == WcStatus::success) {
        cqe.bytes = receiver.offset;
        cqe.solicited = packet.solicited;
        cqe.token = raw(packet.key);
    }
    completions->complete(receiver.cq, cqe, at, true);
}

}  // namespace ndsim

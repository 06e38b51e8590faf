// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include "models/proto/packet_work.hpp"
#include "models/proto/segment.hpp"
#include "models/transport/requester.hpp"

// How the requester builds packets: headers, payload from the WQE or from host memory, and their order on the way out.
namespace ndsim {

namespace {

Operation operation_of(WqeOpcode opcode) {
    switch (opcode) {
        case WqeOpcode::write:
            return Operation::write;
        case WqeOpcode::read:
            return Operation::read;
        default:
            return Operation::send;
    }
}

}  // namespace

Packet Requester::next_packet(const Sender& sender, QpNum qp, std::uint32_t bytes) const {
    const WqeHeader& header = sender.wqe->header;
    const Operation operation = operation_of(header.opcode);
    const bool first = sender.offset == 0 || operation == Operation::read;
    const bool last = sender.offset + bytes == sender.length || operation == Operation::read;
    Packet packet;
    packet.opcode = packet_opcode(operation, first, last);
    if (operation != Operation::send && first) {
        // A Read that is asked for again leaves out what has come [X14].
        const std::uint32_t had = operation == Operation::read ? sender.offset : 0;
        packet.key = sender.wqe->remote.key;
        packet.remote = sender.wqe->remote.address + had;
        packet.dma_length = sender.length - had;
    }
    if (last && header.opcode == WqeOpcode::send_and_invalidate) {
        packet.opcode = invalidating(packet.opcode);
        packet.key = MrKey{header.token};
    }
    packet.solicited = last && header.has(kWqeSolicited);
    // At least once in a window, or it would never open again.
    packet.ack_request = (last && operation != Operation::read) ||
                         sender.since_ack_request + 1 >= std::min(params_.ack_every, params_.psn_window);
    packet.psn = windows_.next(qp);
    packet.destination = sender.peer;
    packet.source = qp;
    packet.to = sender.peer_host;
    packet.framing = egress->framing();
    packet.payload_bytes = bytes;
    if (operation != Operation::read) {
        packet.reached = sender.offset + bytes;
        packet.behind = sender.length - packet.reached;
    }
    packet.request = {host_, header.request};
    return packet;
}

bool Requester::load(Sender& sender, std::uint32_t slot, const Packet& packet) {
    const std::uint32_t bytes = packet.payload_bytes;
    if (bytes == 0 || sender.wqe->header.has(kWqeInline)) {
        if (bytes > 0 && payloads_.has_bytes(packet.payload)) {
            std::memcpy(payloads_.data(packet.payload), sender.wqe->inline_data.data() + sender.offset, bytes);
        }
        assembly_.set_ready(slot, {now() + tx_pipe_, now() + tx_pipe_});
        return true;
    }
    const RangeCursor::Place place = sender.payload.place();
    std::byte* into = payloads_.data(packet.payload);
    pieces_.clear();
    sender.payload.advance(bytes, [&](Address at, std::uint32_t length) {
        pieces_.push_back({at, length, into});
        into += length;
    });
    const RequestId charged = info(packet.opcode).last ? packet.request : RequestId{};
    if (dma->try_read(ReadClass::payload, pieces_, slot, charged, *this)) {
        return true;
    }
    sender.payload.go_back(place);
    return false;
}

void Requester::read_arrives(std::uint32_t slot, Interval data) {
    const Picoseconds at = now();
    const Packet& packet = assembly_.at(slot).packet;
    const Picoseconds more = grain_.rest(packet) + tx_pipe_;
    assembly_.set_ready(slot, {std::max(at, data.start) + more, std::max(at, data.end) + more});
    if (info(packet.opcode).last) {
        ledgers_.mark(packet.request, Account::payload_read, std::max(at, data.end));
    }
    hand_on(packet.source);
}

void Requester::read_space(ReadClass) {
    work->resume();
}

void Requester::hand_on(QpNum qp) {
    assembly_.hand_on(qp_index(qp), [this](const Assembly::Built& built, std::uint32_t slot) {
        const bool last = info(built.packet.opcode).last;
        if (built.dropped) {
            making_.drop(slot);
            egress->release(wire_bytes(built.packet));
            payloads_.give(built.packet.payload);
        } else {
            keep(built);
            making_.end(slot, built.ready.start);
            egress->send(built.packet, built.ready);
        }
        if (last) {
            work->message_built(built.dropped ? now() : built.ready.end);
        }
    });
}

void Requester::keep(const Assembly::Built& built) {
    const QpNum qp = built.packet.source;
    // One that was acknowledged while its payload was read once more is sent all the same.
    if (kept_.is_there() && built.packet.psn.ahead_of(windows_.unacknowledged(qp)) >= 0) {
        const std::uint32_t psns = psns_of(built.packet, senders_[qp_index(qp)].mtu);
        kept_.keep(qp_index(qp), {built.packet, psns, built.ready});
    }
}

// As it was built; of a Read what has come is left out [X14].
Packet Requester::kept_packet(QpNum qp, const RetransmitBuffer::Kept& kept) const {
    Packet packet = kept.packet;
    const Psn next = windows_.next(qp);
    const std::uint32_t had = static_cast<std::uint32_t>(next.ahead_of(packet.psn)) * senders_[qp_index(qp)].mtu;
    if (had > 0) {
        packet.psn = next;
        packet.remote = packet.remote + had;
        packet.dma_length -= had;
    }
    return packet;
}

RequesterPort::Result Requester::repeat(QpNum qp) {
    Sender& sender = senders_[qp_index(qp)];
    const RetransmitBuffer::Kept* const kept = kept_.next(qp_index(qp));
    if (kept == nullptr) {
        return {Turn::message_done, Stall::none};
    }
    if (gate_.waits_for_peer(qp)) {
        sender.waited_for = Stall::rnr;
        return {Turn::blocked, Stall::rnr};
    }
    const Packet packet = kept_packet(qp, *kept);
    if (!egress->reserve(wire_bytes(packet))) {
        sender.waited_for = Stall::tx_fifo;
        return {Turn::blocked, Stall::tx_fifo};
    }
    if (info(packet.opcode).last) {
        ledgers_.mark(packet.request, account_of(std::exchange(sender.waited_for, Stall::none)), now());
    }
    ++resent_from_buffer_;
    const Picoseconds built = now() + tx_pipe_;
    const Interval ready{std::max(built, kept->ready.start), std::max(built, kept->ready.end)};
    (void)payloads_.share(packet.payload);
    note_issue(qp, sender, packet, kept->end());
    kept_.sent_next(qp_index(qp));
    making_.done({now(), ready.start}, [&] { return work_of(packet, qp); });
    egress->send(packet, ready);
    return {kept_.next(qp_index(qp)) == nullptr ? Turn::message_done : Turn::packet, Stall::none};
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/transport/requester.hpp"

#include <algorithm>
#include <cstring>

#include "models/ports/qp_watch.hpp"
#include "models/proto/segment.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

Requester::Requester(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     Picoseconds tx_pipe, HostId host, Ledgers& ledgers, PayloadPool& payloads, Completer& completer)
    : Unit(name, timeline),
      params_(params),
      tx_pipe_(tx_pipe),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      completer_(completer) {
    port.bind(*this);
    lifecycle.bind(*this);
}

void Requester::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (senders_.size() <= index) {
        senders_.resize(index + 1);
    }
    senders_[index].pd = attributes.pd;
    senders_[index].watch = attributes.watch;
}

void Requester::connect_qp(QpNum qp, const QpConnection& connection) {
    Sender& sender = senders_[qp_index(qp)];
    sender.peer = connection.peer;
    sender.mtu = connection.mtu;
    sender.next = connection.first_psn;
}

void Requester::begin(QpNum qp, const Wqe& wqe) {
    Sender& sender = senders_[qp_index(qp)];
    if (!may_read(sender, qp, wqe)) {
        ++refused_;
        sender.stopped = true;
        work->message_built(now());
        completer_.expect_failure(qp, wqe.header, WcStatus::loc_prot);
        return;
    }
    sender.wqe = &wqe;
    sender.length = wqe.length();
    sender.offset = 0;
    completer_.expect(qp, wqe.header, sender.next + (packet_count(sender.length, sender.mtu) - 1));
}

RequesterPort::Result Requester::issue(QpNum qp) {
    Sender& sender = senders_[qp_index(qp)];
    if (sender.stopped) {
        return {Turn::blocked, Stall::psn_window};
    }
    const std::int32_t outstanding = sender.next.ahead_of(completer_.unacknowledged(qp));
    if (outstanding >= static_cast<std::int32_t>(params_.psn_window)) {
        sender.waited_for = Stall::psn_window;
        return {Turn::blocked, Stall::psn_window};
    }
    const std::uint32_t bytes = packet_bytes(sender.length, sender.offset, sender.mtu);
    Packet packet = next_packet(sender, qp, bytes);
    if (!egress->reserve(wire_bytes(packet))) {
        sender.waited_for = Stall::tx_fifo;
        return {Turn::blocked, Stall::tx_fifo};
    }
    packet.payload = bytes > 0 ? payloads_.take() : PayloadRef::none;
    const std::uint32_t slot = take_slot();
    const bool last = info(packet.opcode).last;
    if (last) {
        const Stall stall = std::exchange(sender.waited_for, Stall::none);
        ledgers_.mark(packet.request, account_of(stall), now());
    }
    slots_[slot] = {packet, qp, {}, false, false};
    if (bytes == 0 || sender.wqe->header.has(kWqeInline)) {
        if (bytes > 0) {
            std::memcpy(payloads_.data(packet.payload), sender.wqe->inline_data.data() + sender.offset, bytes);
        }
        slots_[slot].ready = {now() + tx_pipe_, now() + tx_pipe_};
        slots_[slot].timed = true;
    } else {
        const RangeCursor::Place place = sender.payload.place();
        std::byte* into = payloads_.data(packet.payload);
        pieces_.clear();
        sender.payload.advance(bytes, [&](Address at, std::uint32_t length) {
            pieces_.push_back({at, length, into});
            into += length;
        });
        if (!dma->try_read(ReadClass::payload, pieces_, slot, last ? packet.request : RequestId{}, *this)) {
            sender.payload.go_back(place);
            egress->release(wire_bytes(packet));
            payloads_.give(packet.payload);
            free_slots_.push_back(slot);
            sender.waited_for = Stall::tags;
            return {Turn::blocked, Stall::tags};
        }
    }
    ++packets_;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request.number, now());
    ++sender.next;
    if (sender.watch != nullptr) {
        sender.watch->psn_window.take(1, now());
    }
    sender.since_ack_request = packet.ack_request ? 0 : sender.since_ack_request + 1;
    sender.offset += bytes;
    sender.issued.push(slot);
    if (last) {
        sender.wqe = nullptr;
    }
    hand_on(qp);
    return {last ? Turn::message_done : Turn::packet, Stall::none};
}

Packet Requester::next_packet(const Sender& sender, QpNum qp, std::uint32_t bytes) const {
    const bool last = sender.offset + bytes == sender.length;
    Packet packet;
    const bool first = sender.offset == 0;
    const bool write = sender.wqe->header.opcode == WqeOpcode::write;
    packet.opcode = packet_opcode(write ? Operation::write : Operation::send, first, last);
    if (write && first) {
        packet.key = sender.wqe->remote.key;
        packet.remote = sender.wqe->remote.address;
        packet.dma_length = sender.length;
    }
    packet.solicited = last && sender.wqe->header.has(kWqeSolicited);
    // At least once in a window, or it would never open again.
    packet.ack_request = last || sender.since_ack_request + 1 >= std::min(params_.ack_every, params_.psn_window);
    packet.psn = sender.next;
    packet.destination = sender.peer;
    packet.source = qp;
    packet.payload_bytes = bytes;
    packet.request = {host_, sender.wqe->header.request};
    return packet;
}

// Whether the message's own memory may be read; then sets the cursor to its beginning.
bool Requester::may_read(Sender& sender, QpNum qp, const Wqe& wqe) {
    std::vector<HostRange>& ranges = sender.payload.restart();
    return std::all_of(wqe.sges.begin(), wqe.sges.end(), [&](const Sge& sge) {
        return protection->allows({sge.key, sender.pd, qp, sge.address, sge.length, kLocalRead}, &ranges);
    });
}

void Requester::read_arrives(std::uint32_t slot, Interval data) {
    Issued& issued = slots_[slot];
    const Picoseconds at = now();
    issued.ready = {std::max(at, data.start) + tx_pipe_, std::max(at, data.end) + tx_pipe_};
    issued.timed = true;
    if (info(issued.packet.opcode).last) {
        ledgers_.mark(issued.packet.request, Account::payload_read, std::max(at, data.end));
    }
    hand_on(issued.qp);
}

void Requester::read_space(ReadClass) {
    work->resume();
}

void Requester::hand_on(QpNum qp) {
    Sender& sender = senders_[qp_index(qp)];
    while (!sender.issued.empty() && slots_[sender.issued.front()].timed) {
        const std::uint32_t slot = sender.issued.pop();
        Issued& issued = slots_[slot];
        free_slots_.push_back(slot);
        const bool last = info(issued.packet.opcode).last;
        if (issued.dropped) {
            egress->release(wire_bytes(issued.packet));
            payloads_.give(issued.packet.payload);
            if (last) {
                work->message_built(now());
            }
            continue;
        }
        // A short packet does not overtake the one before it.
        sender.last_ready = std::max(sender.last_ready, issued.ready.start);
        issued.ready.start = sender.last_ready;
        issued.ready.end = std::max(issued.ready.end, issued.ready.start);
        egress->send(issued.packet, issued.ready);
        if (last) {
            work->message_built(issued.ready.end);
        }
    }
}

void Requester::flush(QpNum qp, const Wqe& wqe) {
    completer_.flush(qp, wqe.header);
}

void Requester::fail_qp(QpNum qp) {
    Sender& sender = senders_.at(qp_index(qp));
    if (sender.wqe != nullptr) {
        sender.wqe = nullptr;
        work->message_built(now());
    }
    for (std::size_t i = 0; i < sender.issued.size(); ++i) {
        slots_[sender.issued[i]].dropped = true;
    }
    sender.stopped = true;
    if (sender.watch != nullptr) {
        const std::int32_t outstanding = sender.next.ahead_of(completer_.unacknowledged(qp));
        sender.watch->psn_window.give(static_cast<std::uint64_t>(outstanding), now());
    }
}

void Requester::destroy_qp(QpNum) {}

std::uint32_t Requester::take_slot() {
    if (free_slots_.empty()) {
        slots_.emplace_back();
        return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
}

void Requester::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "request packets issued");
    sink.add("refused", refused_, StatUnit::count, "messages refused for a local key, range or right");
}

void Requester::check_idle() const {
    if (free_slots_.size() != slots_.size()) {
        throw InvariantError(name(), now(), "packets still wait for their payload at the end");
    }
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/transport/requester.hpp"

#include <algorithm>
#include <utility>

#include "models/proto/packet_work.hpp"
#include "models/proto/segment.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

Requester::Requester(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     Picoseconds tx_pipe, const ForwardGrain& grain, HostId host, Ledgers& ledgers,
                     PayloadPool& payloads, Completer& completer, PsnWindows& windows, SendGate& gate,
                     ReadResponses& reads, LocalOperations& locals, RetransmitBuffer& kept)
    : Unit(name, timeline),
      params_(params),
      tx_pipe_(tx_pipe),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      completer_(completer),
      windows_(windows),
      gate_(gate),
      reads_(reads),
      locals_(locals),
      kept_(kept),
      assembly_(*this, {dma, egress, work}, tx_pipe, grain, ledgers, payloads, windows, kept, making_) {
    port.bind(*this);
    sent.bind(*this);
    lifecycle.bind(*this);
}

void Requester::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    grown(senders_, index) = {};
    senders_[index].pd = attributes.pd;
}

void Requester::connect_qp(QpNum qp, const QpConnection& connection) {
    Sender& sender = senders_[qp_index(qp)];
    sender.peer = connection.peer;
    sender.peer_host = connection.peer_host;
    sender.mtu = connection.mtu;
    sender.reached = connection.first_psn;
    assembly_.connect(qp, connection.mtu);
}

std::optional<Picoseconds> Requester::begin(QpNum qp, const Wqe& wqe) {
    Sender& sender = senders_[qp_index(qp)];
    OutstandingRequest* const begun = completer_.find(qp, wqe.header);
    if (begun != nullptr) {
        begun->rewound = false;
        if (begun->failed != WcStatus::success) {
            sender.stopped = true;
            return now();
        }
    }
    if (wqe.header.is_local()) {
        return begin_local(qp, sender, wqe, begun != nullptr);
    }
    if (wqe.header.opcode == WqeOpcode::read) {
        return begin_read(qp, sender, wqe, begun);
    }
    if (!sender.message.locate(*protection.operator->(), sender.pd, qp, wqe)) {
        return refuse(qp, sender, wqe, WcStatus::loc_prot);
    }
    if (begun != nullptr) {
        // Acknowledged packets are not sent again.
        const auto packets = static_cast<std::uint32_t>(windows_.next(qp).ahead_of(begun->first));
        sender.message.begin(wqe, packets * sender.mtu);
        return {};
    }
    const Psn first = windows_.next(qp);
    completer_.expect(qp, wqe.header, first, first + packet_count(wqe.length(), sender.mtu));
    sender.message.begin(wqe);
    return {};
}

// A local operation takes its turn without a packet. If it began before a rewind, it is not executed twice.
Picoseconds Requester::begin_local(QpNum qp, Sender& sender, const Wqe& wqe, bool again) {
    sender.message.begin(wqe);
    if (again) {
        return now();
    }
    completer_.expect(qp, wqe.header, windows_.next(qp), windows_.next(qp));
    return locals_.begin(qp, sender.pd, wqe);
}

std::optional<Picoseconds> Requester::begin_read(QpNum qp, Sender& sender, const Wqe& wqe,
                                                 const OutstandingRequest* begun) {
    if (begun != nullptr) {
        sender.message.begin(wqe, reads_.received(begun->read));
        return {};
    }
    if (!gate_.may_read(qp)) {
        return refuse(qp, sender, wqe, WcStatus::loc_qp_op);
    }
    const auto slot = reads_.open(qp, sender.pd, sender.mtu, wqe);
    if (!slot) {
        return refuse(qp, sender, wqe, WcStatus::loc_prot);
    }
    const Psn first = windows_.next(qp);
    completer_.expect_read(qp, wqe.header, first, first + packet_count(wqe.length(), sender.mtu), *slot);
    sender.message.begin(wqe);
    return {};
}

// The request is not allowed, or may not use its memory. Neither it nor any later request sends anything.
Picoseconds Requester::refuse(QpNum qp, Sender& sender, const Wqe& wqe, WcStatus why) {
    ++refused_;
    sender.stopped = true;
    if (const OutstandingRequest* const begun = completer_.find(qp, wqe.header); begun == nullptr) {
        completer_.expect_failure(qp, wqe.header, windows_.next(qp), why);
    } else {
        completer_.fail_later(qp, wqe.header, why);
    }
    return now();
}

RequesterPort::Result Requester::issue(QpNum qp) {
    Sender& sender = senders_[qp_index(qp)];
    if (sender.stopped) {
        return {Turn::blocked, Stall::psn_window};
    }
    if (sender.message.wqe().header.is_local()) {
        sender.message.end();
        return {Turn::message_done, Stall::none};
    }
    if (windows_.is_full(qp)) {
        return blocked(sender, Stall::psn_window);
    }
    if (!sender.message.may_go_on(*protection.operator->(), sender.pd, qp)) {
        (void)refuse(qp, sender, *sender.message.end(), WcStatus::loc_prot);
        work->message_built(now());
        return {Turn::message_done, Stall::none};
    }
    const OutgoingMessage::Cut cut = sender.message.next_cut(sender.mtu);
    const Bytes on_wire = wire_bytes(cut.bytes, info(cut.opcode).extra_bytes, egress->framing());
    if (!egress->has_room(on_wire)) {
        return blocked(sender, Stall::tx_fifo);
    }
    Packet packet = next_packet(sender, qp, cut);
    charge_wait(sender, packet);
    const std::optional<std::uint32_t> slot = assembly_.load(packet, sender.message);
    if (!slot) {
        return blocked(sender, Stall::tags);
    }
    egress->reserve(on_wire);
    resent_refetched_ += packet.psn.ahead_of(sender.reached) < 0 ? 1 : 0;
    note_issue(qp, sender, packet, packet.psn + psns_of(packet, sender.mtu));
    sender.message.advance(packet);
    const bool last = info(packet.opcode).last;
    if (last) {
        sender.message.end();
    }
    assembly_.issue(*slot);
    return {last ? Turn::message_done : Turn::packet, Stall::none};
}

RequesterPort::Result Requester::blocked(Sender& sender, Stall stall) {
    sender.waited_for = stall;
    return {Turn::blocked, stall};
}

Packet Requester::next_packet(const Sender& sender, QpNum qp, const OutgoingMessage::Cut& cut) const {
    Packet packet = sender.message.next_packet(cut);
    // At least once in a window, or it would never open again.
    packet.ack_request = (info(packet.opcode).last && !sender.message.is_read()) ||
                         sender.since_ack_request + 1 >= std::min(params_.ack_every, params_.psn_window);
    packet.psn = windows_.next(qp);
    packet.destination = sender.peer;
    packet.source = qp;
    packet.to = sender.peer_host;
    packet.framing = egress->framing();
    packet.request = {host_, sender.message.wqe().header.request};
    return packet;
}

// The message has waited for its last packet until now; the time is charged to the last blocker.
void Requester::charge_wait(Sender& sender, const Packet& packet) {
    if (info(packet.opcode).last) {
        ledgers_.mark(packet.request, account_of(std::exchange(sender.waited_for, Stall::none)), now());
    }
}

void Requester::note_issue(QpNum qp, Sender& sender, const Packet& packet, Psn next) {
    ++packets_;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request, now());
    if (next.ahead_of(sender.reached) > 0) {
        sender.reached = next;
    }
    completer_.sent(qp, next);
    const bool read = packet.opcode == Opcode::read_request;
    sender.since_ack_request = packet.ack_request || read ? 0 : sender.since_ack_request + 1;
}

RequesterPort::Result Requester::repeat(QpNum qp) {
    Sender& sender = senders_[qp_index(qp)];
    const RetransmitBuffer::Kept* const kept = kept_.next(qp_index(qp));
    if (kept == nullptr) {
        return {Turn::message_done, Stall::none};
    }
    if (gate_.waits_for_peer(qp)) {
        return blocked(sender, Stall::rnr);
    }
    const Packet packet = kept->rest_from(windows_.next(qp), sender.mtu);
    if (!egress->has_room(wire_bytes(packet))) {
        return blocked(sender, Stall::tx_fifo);
    }
    egress->reserve(wire_bytes(packet));
    charge_wait(sender, packet);
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

void Requester::request_sent(const Packet& packet, Picoseconds at) {
    const std::uint32_t mtu = senders_[qp_index(packet.source)].mtu;
    completer_.asked(packet.source, packet.psn, packet.psn + psns_of(packet, mtu), at);
}

RequesterPort::Rewound Requester::rewind(QpNum qp) {
    Sender& sender = senders_[qp_index(qp)];
    const Wqe* const under_way = sender.message.end();
    const bool slot_free = under_way != nullptr && !under_way->header.is_local();
    assembly_.drop(qp);
    sender.since_ack_request = 0;
    sender.stopped = false;
    sender.waited_for = Stall::none;
    return {kept_.next(qp_index(qp)) != nullptr, slot_free};
}

void Requester::fail_qp(QpNum qp) {
    if (rewind(qp).slot_free) {
        work->message_built(now());
    }
    senders_[qp_index(qp)].stopped = true;
}

void Requester::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "request packets issued");
    sink.add("repeated", resent_from_buffer_ + resent_refetched_, StatUnit::count, "of these, those issued again");
    sink.add("resent_from_buffer", resent_from_buffer_, StatUnit::count,
             "packets issued again from the retransmit buffer");
    sink.add("resent_refetched", resent_refetched_, StatUnit::count,
             "packets issued again after their WQE was fetched again");
    sink.add("refused", refused_, StatUnit::count, "messages refused because of a local key, range or right");
}

void Requester::check_idle() const {
    if (!assembly_.empty()) {
        throw InvariantError(name(), now(), "packets still wait for their payload at the end");
    }
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/transport/requester.hpp"

#include <algorithm>
#include <cstring>

#include "models/proto/packet_work.hpp"
#include "models/proto/segment.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

Requester::Requester(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     Picoseconds tx_pipe, const ForwardGrain& grain, HostId host, Ledgers& ledgers,
                     PayloadPool& payloads, Completer& completer, PsnWindows& windows, SendGate& gate,
                     ReadResponses& reads, LocalOperations& locals, RetransmitBuffer& kept)
    : Unit(name, timeline),
      params_(params),
      tx_pipe_(tx_pipe),
      grain_(grain),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      completer_(completer),
      windows_(windows),
      gate_(gate),
      reads_(reads),
      locals_(locals),
      kept_(kept) {
    port.bind(*this);
    lifecycle.bind(*this);
}

void Requester::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (senders_.size() <= index) {
        senders_.resize(index + 1);
    }
    senders_[index] = {};
    senders_[index].pd = attributes.pd;
}

void Requester::connect_qp(QpNum qp, const QpConnection& connection) {
    Sender& sender = senders_[qp_index(qp)];
    sender.peer = connection.peer;
    sender.peer_host = connection.peer_host;
    sender.mtu = connection.mtu;
    sender.reached = connection.first_psn;
}

std::optional<Picoseconds> Requester::begin(QpNum qp, const Wqe& wqe) {
    Sender& sender = senders_[qp_index(qp)];
    sender.length = wqe.length();
    sender.offset = 0;
    const BegunRequest* const begun = completer_.find(qp, wqe.header);
    if (begun != nullptr && begun->failed != WcStatus::success) {
        sender.stopped = true;
        return now();
    }
    if (wqe.header.is_local()) {
        return begin_local(qp, sender, wqe, begun != nullptr);
    }
    if (wqe.header.opcode == WqeOpcode::read) {
        sender.wqe = &wqe;
        if (begun == nullptr) {
            return begin_read(qp, sender, wqe);
        }
        sender.offset = reads_.received(begun->read);
        return {};
    }
    if (!may_use(sender, qp, wqe)) {
        return refuse(qp, sender, wqe, WcStatus::loc_prot);
    }
    sender.wqe = &wqe;
    if (begun == nullptr) {
        const Psn first = windows_.next(qp);
        completer_.expect(qp, wqe.header, first, first + packet_count(sender.length, sender.mtu));
    } else {
        begin_again(qp, sender, *begun);
    }
    return {};
}

// Packets that are acknowledged are not sent again.
void Requester::begin_again(QpNum qp, Sender& sender, const BegunRequest& begun) {
    sender.offset = static_cast<std::uint32_t>(windows_.next(qp).ahead_of(begun.first)) * sender.mtu;
    if (!sender.wqe->header.has(kWqeInline)) {
        sender.payload.skip(sender.offset);
    }
}

// It takes its turn, but no packet; one that has begun before the queue was rewound is not done twice.
Picoseconds Requester::begin_local(QpNum qp, Sender& sender, const Wqe& wqe, bool again) {
    sender.wqe = &wqe;
    if (again) {
        return now();
    }
    completer_.expect(qp, wqe.header, windows_.next(qp), windows_.next(qp));
    return locals_.begin(qp, sender.pd, wqe);
}

std::optional<Picoseconds> Requester::begin_read(QpNum qp, Sender& sender, const Wqe& wqe) {
    if (!gate_.may_read(qp)) {
        return refuse(qp, sender, wqe, WcStatus::loc_qp_op);
    }
    const auto slot = reads_.open(qp, sender.pd, sender.mtu, wqe);
    if (!slot) {
        return refuse(qp, sender, wqe, WcStatus::loc_prot);
    }
    const Psn first = windows_.next(qp);
    completer_.expect_read(qp, wqe.header, first, first + packet_count(sender.length, sender.mtu), *slot);
    return {};
}

// It may not be, or its memory not be used so: nothing is sent, and nothing after it.
Picoseconds Requester::refuse(QpNum qp, Sender& sender, const Wqe& wqe, WcStatus why) {
    ++refused_;
    sender.wqe = nullptr;
    sender.stopped = true;
    if (const BegunRequest* const begun = completer_.find(qp, wqe.header); begun == nullptr) {
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
    if (sender.wqe->header.is_local()) {
        sender.wqe = nullptr;
        return {Turn::message_done, Stall::none};
    }
    if (windows_.is_full(qp)) {
        sender.waited_for = Stall::psn_window;
        return {Turn::blocked, Stall::psn_window};
    }
    const bool read = sender.wqe->header.opcode == WqeOpcode::read;
    const std::uint32_t bytes = read ? 0 : packet_bytes(sender.length, sender.offset, sender.mtu);
    Packet packet = next_packet(sender, qp, bytes);
    if (!egress->reserve(wire_bytes(packet))) {
        sender.waited_for = Stall::tx_fifo;
        return {Turn::blocked, Stall::tx_fifo};
    }
    packet.payload = bytes > 0 ? payloads_.take_for_message() : PayloadRef::none;
    const std::uint32_t slot = assembly_.take(qp_index(qp), packet);
    const bool last = info(packet.opcode).last;
    if (last) {
        const Stall stall = std::exchange(sender.waited_for, Stall::none);
        ledgers_.mark(packet.request, account_of(stall), now());
    }
    if (!load(sender, slot, packet)) {
        egress->release(wire_bytes(packet));
        payloads_.give(packet.payload);
        assembly_.give(slot);
        sender.waited_for = Stall::tags;
        return {Turn::blocked, Stall::tags};
    }
    resent_refetched_ += packet.psn.ahead_of(sender.reached) < 0 ? 1 : 0;
    note_issue(qp, sender, packet, windows_.next(qp) + psns_of(packet, sender.mtu));
    sender.offset += bytes;
    assembly_.add(slot);
    making_.begin(slot, now(), [&] { return work_of(packet, qp); });
    if (last) {
        sender.wqe = nullptr;
    }
    hand_on(qp);
    return {last ? Turn::message_done : Turn::packet, Stall::none};
}

void Requester::note_issue(QpNum qp, Sender& sender, const Packet& packet, Psn next) {
    ++packets_;
    psn_.set(packet.psn.value(), now());
    request_.set(packet.request.number, now());
    if (next.ahead_of(sender.reached) > 0) {
        sender.reached = next;
    }
    completer_.sent(qp, next);
    const bool read = packet.opcode == Opcode::read_request;
    sender.since_ack_request = packet.ack_request || read ? 0 : sender.since_ack_request + 1;
}

// Whether the message's own memory may be read; then sets the cursor to its beginning.
bool Requester::may_use(Sender& sender, QpNum qp, const Wqe& wqe) {
    std::vector<HostRange>& ranges = sender.payload.restart();
    return std::all_of(wqe.sges.begin(), wqe.sges.end(), [&](const Sge& sge) {
        return protection->allows({sge.key, sender.pd, qp, sge.address, sge.length, kLocalRead}, &ranges);
    });
}

RequesterPort::Rewound Requester::rewind(QpNum qp) {
    Sender& sender = senders_[qp_index(qp)];
    const Wqe* const under_way = std::exchange(sender.wqe, nullptr);
    const bool slot_free = under_way != nullptr && !under_way->header.is_local();
    assembly_.drop(qp_index(qp));
    sender.since_ack_request = 0;
    sender.stopped = false;
    sender.waited_for = Stall::none;
    return {kept_.next(qp_index(qp)) != nullptr, slot_free};
}

void Requester::flush(QpNum qp, const Wqe& wqe) {
    completer_.flush(qp, wqe.header);
}

void Requester::fail_qp(QpNum qp) {
    if (rewind(qp).slot_free) {
        work->message_built(now());
    }
    senders_[qp_index(qp)].stopped = true;
}

bool Requester::is_quiet(QpNum qp) const {
    return assembly_.is_empty(qp_index(qp));
}

void Requester::destroy_qp(QpNum) {}

void Requester::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "request packets issued");
    sink.add("repeated", windows_.taken_back(), StatUnit::count,
             "PSNs that were issued and then taken back, to be sent again");
    sink.add("resent_from_buffer", resent_from_buffer_, StatUnit::count, "packets sent again that had been kept");
    sink.add("resent_refetched", resent_refetched_, StatUnit::count,
             "packets issued again from a WQE that was fetched again");
    sink.add("refused", refused_, StatUnit::count, "messages refused for a local key, range or right");
}

void Requester::check_idle() const {
    if (!assembly_.empty()) {
        throw InvariantError(name(), now(), "packets still wait for their payload at the end");
    }
}

}  // namespace ndsim

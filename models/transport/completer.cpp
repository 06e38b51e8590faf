// SPDX-License-Identifier: Apache-2.0
#include "models/transport/completer.hpp"

#include "models/parts/ranks.hpp"
#include "models/transport/refusal.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

bool is_refusal(const Packet& ack) {
    return (ack.aeth.syndrome & 0xE0U) != 0;
}

// Everything before this PSN is acknowledged; a NAK names the first packet that is not.
Psn answered_by(const Packet& ack) {
    return is_refusal(ack) ? ack.psn : ack.psn + 1;
}

}  // namespace

Completer::Completer(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     HostId host, Ledgers& ledgers, PsnWindows& windows, SendGate& gate, ReadResponses& reads,
                     LocalOperations& locals, RetransmitBuffer& kept)
    : Unit(name, timeline),
      windows_(windows),
      gate_(gate),
      reads_(reads),
      kept_(kept),
      failures_(*this, timeline, kRankTransport),
      ends_(*this, host, ledgers, completions),
      recovery_(timeline, params, *this, windows, kept, gate, work) {
    lifecycle.bind(*this);
    locals.set_owner(*this);
}

void Completer::create_qp(const QpAttributes& attributes) {
    grown(queues_, qp_index(attributes.qp)) = {attributes.qp, attributes.pd, false,
                                               OutstandingRequests(attributes.watch)};
    ends_.create(attributes);
    windows_.create(attributes.qp, attributes.watch);
    gate_.create(attributes);
    recovery_.create(attributes.qp);
}

void Completer::connect_qp(QpNum qp, const QpConnection& connection) {
    windows_.connect(qp, connection.first_psn);
    gate_.connect(qp, connection);
    recovery_.connect(qp, connection);
}

void Completer::expect(QpNum qp, const WqeHeader& wqe, Psn first, Psn end) {
    queue(qp).requests.begin(wqe, first, end, now());
    gate_.begun(qp, wqe);
}

void Completer::expect_read(QpNum qp, const WqeHeader& wqe, Psn first, Psn end, std::uint32_t read) {
    expect(qp, wqe, first, end);
    queue(qp).requests.begin_read(read, now());
    gate_.read_begun(qp);
}

void Completer::expect_failure(QpNum qp, const WqeHeader& wqe, Psn first, WcStatus status) {
    expect(qp, wqe, first, first);
    fail_later(qp, wqe, status);
}

// The engine is just starting the request. The queue pair fails afterwards, since the engine also hears fail_qp().
void Completer::fail_later(QpNum qp, const WqeHeader& wqe, WcStatus status) {
    OutstandingRequest* const request = find(qp, wqe);
    request->failed = status;
    gate_.close(qp);
    if (request == &queue(qp).requests.oldest()) {
        failures_.push(now(), qp);
    }
}

void Completer::fail_head(const QpNum& qp) {
    if (!queue(qp).failed && !queue(qp).requests.empty()) {
        fail(qp, queue(qp).requests.oldest().failed);
    }
}

void Completer::local_done(QpNum qp, std::uint32_t wqe_index, WcStatus status) {
    gate_.local_done(qp);
    OutstandingRequests& requests = queue(qp).requests;
    OutstandingRequest& request = requests[wqe_index - requests.oldest().wqe.index];
    request.done = true;
    request.failed = status;
    if (status != WcStatus::success) {
        gate_.close(qp);
    }
    ends_.charge(request.wqe, Account::context);
    retire(qp, false);
    work->resume_qp(qp);
}

void Completer::sent(QpNum qp, Psn next) {
    windows_.sent(qp, next, now());
    recovery_.sent(qp);
}

void Completer::asked(QpNum qp, Psn first, Psn end, Picoseconds at) {
    if (queue(qp).qp == qp && !queue(qp).failed) {
        recovery_.asked(qp, first, end, at);
    }
}

void Completer::acknowledge(const Packet& ack) {
    const QpNum qp = ack.destination;
    if (queues_.at(qp_index(qp)).failed || queue(qp).qp != qp) {
        return;
    }
    const bool is_nak = is_refusal(ack);
    ++(is_nak ? naks_ : acks_);
    const Psn said = answered_by(ack);
    if (is_nak && said.ahead_of(windows_.unacknowledged(qp)) < 0) {
        return;  // an old NAK
    }
    // An answer that passes responses of a Read shows that they were lost [X13].
    const OutstandingRequest* const read = queue(qp).requests.oldest_read();
    const bool passes = read != nullptr && said.ahead_of(answered(*read)) > 0;
    if (!is_nak) {
        gate_.take_credits(qp, ack.aeth);
    }
    progress(qp, passes ? answered(*read) : said);
    if (!is_nak) {
        if (passes && !queue(qp).failed && !recovery_.is_under_way(qp)) {
            recovery_.send_again(qp, Account::retransmit);
        }
        work->resume_qp(qp);
    } else if (!queue(qp).failed && has_open(qp)) {
        passes ? recovery_.send_again(qp, Account::retransmit) : refuse(qp, ack.aeth.syndrome);
    }
}

void Completer::has_waited(const Packet& ack, Picoseconds since) {
    const QpNum qp = ack.destination;
    if (is_flushed(qp)) {
        return;
    }
    const OutstandingRequests& requests = queue(qp).requests;
    for (std::size_t i = 0; i < requests.size() && requests[i].has_succeeded(answered_by(ack)); ++i) {
        ends_.context_came(requests[i].wqe, since);
    }
}

// A NAK that names the oldest open request.
void Completer::refuse(QpNum qp, std::uint8_t syndrome) {
    if ((syndrome & 0xE0U) == Aeth::kRnrNak) {
        recovery_.not_ready(qp, syndrome & 0x1FU);
    } else if (syndrome == Aeth::kNakSequence) {
        recovery_.send_again(qp, Account::retransmit);
    } else {
        fail(qp, status_of_nak(syndrome));
    }
}

void Completer::response(const Packet& packet, Interval at) {
    const QpNum qp = packet.destination;
    OutstandingRequest* const read = queues_.at(qp_index(qp)).requests.oldest_read();
    if (queue(qp).failed || queue(qp).qp != qp || read == nullptr) {
        reads_.drop(packet, at);
        return;
    }
    const std::int32_t ahead = packet.psn.ahead_of(answered(*read));
    if (ahead != 0) {
        reads_.drop(packet, at);
        if (ahead > 0 && !recovery_.is_under_way(qp)) {
            // The response acknowledges everything before the Read; part of the Read itself is missing [X14].
            progress(qp, answered(*read));
            if (!queue(qp).failed) {
                recovery_.send_again(qp, Account::retransmit);
            }
        }
        return;
    }
    const ReadResponses::Fit fit = reads_.fit(read->read, packet);
    if (fit == ReadResponses::Fit::fits) {
        take_data(qp, *read, packet, at);
        return;
    }
    progress(qp, answered(*read));
    reads_.drop(packet, at);
    if (!queue(qp).failed) {
        fail(qp, fit == ReadResponses::Fit::malformed ? WcStatus::bad_resp : WcStatus::loc_prot);
    }
}

void Completer::take_data(QpNum qp, OutstandingRequest& read, const Packet& packet, Interval at) {
    if (info(packet.opcode).last) {
        // Its message number is also progress of the peer: no acknowledgement with more may follow [X18].
        gate_.raise_limit(qp, packet.aeth.msn);
        read.done = true;
        if (read.wqe.token != 0 && !keys->invalidate(MrKey{read.wqe.token}, queue(qp).pd, qp, InvalidatedBy::read)) {
            read.failed = WcStatus::invalidate_error;
        }
        queue(qp).requests.end_oldest_read(now());
        gate_.read_placed(qp, at.end);
    }
    reads_.place(read.read, packet, at);
    // With the data: a queue pair that goes back in the middle of a packet would else send the Read from another place.
    progress(qp, packet.psn + 1);
    work->resume_qp(qp);
}

// Everything before `up_to` is answered. Packets sent before a rewind may be answered after it.
void Completer::progress(QpNum qp, Psn up_to) {
    bool passes = false;
    if (up_to.ahead_of(windows_.unacknowledged(qp)) > 0) {
        passes = windows_.acknowledge(qp, up_to);
        kept_.acknowledge(qp_index(qp), up_to);
        recovery_.progress(qp);
    }
    retire(qp, passes);
    windows_.show(qp, now());
    if (!queue(qp).failed && !windows_.is_empty(qp) && has_open(qp)) {
        recovery_.expect_answer(qp);
    }
}

void Completer::retire(QpNum qp, bool passes) {
    Queue& queue = this->queue(qp);
    std::optional<std::uint32_t> head;
    while (!queue.failed && !queue.requests.empty() &&
           queue.requests.oldest().has_succeeded(windows_.unacknowledged(qp))) {
        const OutstandingRequest done = take_oldest(qp);
        ++retired_;
        passes = passes || done.rewound;
        head = done.wqe.index + 1;
        ends_.succeeded(qp, done.wqe, done.reading);
    }
    if (head) {
        ends_.write_head(qp, *head);
    }
    if (!queue.failed && !queue.requests.empty() && queue.requests.oldest().failed != WcStatus::success) {
        fail(qp, queue.requests.oldest().failed);
    }
    if (passes && !queue.failed) {
        recovery_.go_back(qp);
    }
}

OutstandingRequest Completer::take_oldest(QpNum qp) {
    const OutstandingRequest oldest = queue(qp).requests.take_oldest(now());
    gate_.ended(qp);
    if (oldest.reading) {
        reads_.close(oldest.read);
        if (!oldest.done) {
            queue(qp).requests.end_oldest_read(now());
            gate_.read_failed(qp);
        }
    }
    return oldest;
}

void Completer::fail(QpNum qp, WcStatus status) {
    if (queue(qp).requests.empty()) {
        throw InvariantError(name(), now(), "a NAK names no message");
    }
    ends_.fails(qp, status);
    end_oldest(qp, status);
    // As the reason of an end, an invalidation error is one of the peer's requests; this is one of our own.
    faults->qp_failed(qp, status == WcStatus::invalidate_error ? WcStatus::loc_qp_op : status);
}

// What has come in of a Read is in memory when software learns of its end [K148].
void Completer::end_oldest(QpNum qp, WcStatus status) {
    const OutstandingRequest head = take_oldest(qp);
    ends_.ended(qp, head.wqe, status, Account::ack_return, head.reading);
}

void Completer::fail_oldest(QpNum qp, WcStatus status) {
    if (!queues_.at(qp_index(qp)).failed && !queue(qp).requests.empty()) {
        end_oldest(qp, status);
    }
}

void Completer::fail_qp(QpNum qp) {
    queues_.at(qp_index(qp)).failed = true;
    recovery_.stop(qp);
    while (!queue(qp).requests.empty()) {
        ++flushed_;
        end_oldest(qp, WcStatus::wr_flush);
    }
}

void Completer::flush(QpNum qp, const WqeHeader& wqe) {
    queue(qp).requests.pass_by(now());
    ++flushed_;
    ends_.ended(qp, wqe, WcStatus::wr_flush, Account::arbitration);
}

void Completer::charge(QpNum qp, Account why) {
    OutstandingRequests& requests = queue(qp).requests;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (why == Account::retransmit) {
            ends_.sent_again(requests[i].wqe);
        }
        ends_.charge(requests[i].wqe, why);
    }
}

void Completer::report(StatSink& sink) const {
    sink.add("acks", acks_, StatUnit::count, "acknowledgements received");
    sink.add("naks", naks_, StatUnit::count, "negative acknowledgements received, including RNR");
    sink.add("rnr_naks", recovery_.rnr_naks(), StatUnit::count, "times that the peer was not ready");
    sink.add("timeouts", recovery_.timeouts(), StatUnit::count, "times that no answer came");
    sink.add("rewinds", recovery_.rewinds(), StatUnit::count, "times that requests were sent again");
    sink.add("retired", retired_, StatUnit::count, "requests that succeeded");
    sink.add("flushed", flushed_, StatUnit::count, "requests flushed after a failure");
}

void Completer::check_idle() const {
    for (const Queue& queue : queues_) {
        if (!queue.requests.empty()) {
            throw InvariantError(name(), now(), "requests are still unacknowledged at the end");
        }
    }
}

}  // namespace ndsim

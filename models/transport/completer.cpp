// SPDX-License-Identifier: Apache-2.0
#include "models/transport/completer.hpp"

#include <algorithm>

#include "models/ports/qp_watch.hpp"
#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

namespace {

// What the requests of a queue pair have waited for that fails so; nothing, if that takes no waiting.
std::optional<Account> waited_for(WcStatus status) {
    switch (status) {
        case WcStatus::retry_exceeded:
            return Account::retransmit;
        case WcStatus::rnr_retry_exceeded:
            return Account::rnr;
        default:
            return std::nullopt;
    }
}

}  // namespace

Completer::Completer(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     HostId host, Ledgers& ledgers, ReadResponses& reads, LocalOperations& locals,
                     RetransmitBuffer& kept)
    : Unit(name, timeline),
      params_(params),
      timeout_(ack_timeout(params.timeout_code)),
      host_(host),
      ledgers_(ledgers),
      reads_(reads),
      kept_(kept),
      failures_(*this, timeline, kRankTransport),
      timers_(*this, timeline, kRankTransport),
      rnr_timers_(*this, timeline, kRankTransport, LaneKind::retries),
      fences_(*this, timeline, kRankTransport),
      rooms_(*this, timeline, kRankTransport) {
    lifecycle.bind(*this);
    reads_.set_owner(*this);
    locals.set_owner(*this);
}

void Completer::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    while (queues_.size() <= index) {
        queues_.emplace_back();
    }
    Queue& queue = queues_[index];
    const bool in_timers = queue.in_timers;  // an entry of the queue pair before it is taken over
    queue = {};
    queue.in_timers = in_timers;
    queue.qp = attributes.qp;
    queue.cq = attributes.send_cq;
    queue.pd = attributes.pd;
    queue.head = attributes.head;
    queue.invalidate_waits = attributes.invalidate_waits;
    queue.watch = attributes.watch;
}

void Completer::connect_qp(QpNum qp, const QpConnection& connection) {
    Queue& queue = queues_[qp_index(qp)];
    queue.unacknowledged = connection.first_psn;
    queue.next = connection.first_psn;
    queue.outbound_reads = connection.outbound_reads;
    queue.rnr_retry = connection.rnr_retry;
    queue.credits = connection.credits;
}

Completer::Request* Completer::find(QpNum qp, const WqeHeader& wqe) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.requests.empty()) {
        return nullptr;
    }
    // Running numbers follow each other.
    const std::uint32_t place = wqe.index - queue.requests.front().wqe.index;
    return place < queue.requests.size() ? &queue.requests[place] : nullptr;
}

Completer::Request& Completer::expect(QpNum qp, const WqeHeader& wqe, Psn first, Psn end) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.watch != nullptr) {
        QpWatch::move(queue.watch->sq_fetched, queue.watch->sq_unacknowledged, now());
    }
    queue.requests.push({wqe, first, end, queue.next_place});
    queue.next_place += wqe.units();
    if (!wqe.is_local()) {
        queue.ssn = (queue.ssn + 1) & Psn::kMask;
    }
    return queue.requests.back();
}

void Completer::expect_local(QpNum qp, const WqeHeader& wqe, Psn next) {
    expect(qp, wqe, next, next);
    queues_[qp_index(qp)].local_begun = true;
}

void Completer::local_done(QpNum qp, std::uint32_t wqe_index, WcStatus status) {
    Queue& queue = queues_[qp_index(qp)];
    queue.local_begun = false;
    if (queue.failed) {
        return;
    }
    Request& request = queue.requests[wqe_index - queue.requests.front().wqe.index];
    request.done = true;
    request.failed = status;
    queue.doomed = queue.doomed || status != WcStatus::success;
    ledgers_.mark({host_, request.wqe.request}, Account::context, now());
    retire(qp, queue);
    work->resume_qp(qp);
}

void Completer::expect_read(QpNum qp, const WqeHeader& wqe, Psn first, Psn end, std::uint32_t read) {
    Request& request = expect(qp, wqe, first, end);
    request.read = read;
    request.reading = true;
    Queue& queue = queues_[qp_index(qp)];
    queue.open_reads.push(wqe.index);
    if (queue.watch != nullptr) {
        queue.watch->outbound_reads.take(1, now());
    }
}

void Completer::expect_failure(QpNum qp, const WqeHeader& wqe, Psn first, WcStatus status) {
    expect(qp, wqe, first, first).failed = status;
    queues_[qp_index(qp)].doomed = true;
    if (queues_[qp_index(qp)].requests.size() == 1) {
        failures_.push(now(), qp);  // not from within the engine that is just starting it
    }
}

void Completer::fail_later(QpNum qp, const WqeHeader& wqe, WcStatus status) {
    Request* const request = find(qp, wqe);
    request->failed = status;
    queues_[qp_index(qp)].doomed = true;
    if (request == &queues_[qp_index(qp)].requests.front()) {
        failures_.push(now(), qp);
    }
}

void Completer::fail_head(const QpNum& qp) {
    Queue& queue = queues_[qp_index(qp)];
    if (!queue.failed && !queue.requests.empty()) {
        fail(qp, queue, queue.requests.front().failed);
    }
}

void Completer::flush(QpNum qp, const WqeHeader& wqe) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.watch != nullptr) {
        QpWatch::move(queue.watch->sq_fetched, queue.watch->sq_completed, now());
    }
    ++flushed_;
    ledgers_.mark({host_, wqe.request}, queue.waited_for.value_or(Account::arbitration), now());
    complete(qp, queue, wqe, WcStatus::wr_flush, now(), false);
}

void Completer::complete(QpNum qp, Queue& queue, const WqeHeader& wqe, WcStatus status, Picoseconds at,
                         bool behind_payload) {
    Cqe cqe;
    cqe.qp = qp;
    cqe.wqe_index = wqe.index;
    cqe.opcode = wqe.opcode;
    cqe.status = status;
    cqe.request = wqe.request;
    completions->complete(queue.cq, cqe, at, behind_payload);
}

void Completer::fail(QpNum qp, Queue& queue, WcStatus status) {
    if (queue.requests.empty()) {
        throw InvariantError(name(), now(), "a NAK names no message");
    }
    queue.waited_for = waited_for(status);
    end_oldest(qp, queue, status);
    // As the reason of an end, an invalidation error is one of the peer's requests; this is one of our own.
    faults->qp_failed(qp, status == WcStatus::invalidate_error ? WcStatus::loc_qp_op : status);
}

void Completer::end_oldest(QpNum qp, Queue& queue, WcStatus status) {
    const Request head = take_oldest(queue);
    ledgers_.mark({host_, head.wqe.request}, queue.waited_for.value_or(Account::ack_return), now());
    complete(qp, queue, head.wqe, status, now(), head.reading && head.done);
}

void Completer::fail_oldest(QpNum qp, WcStatus status) {
    Queue& queue = queues_.at(qp_index(qp));
    if (!queue.failed && !queue.requests.empty()) {
        end_oldest(qp, queue, status);
    }
}

void Completer::end_read(Queue& queue) {
    queue.open_reads.pop();
    if (queue.watch != nullptr) {
        queue.watch->outbound_reads.give(1, now());
    }
}

Completer::Request Completer::take_oldest(Queue& queue) {
    if (queue.watch != nullptr) {
        QpWatch::move(queue.watch->sq_unacknowledged, queue.watch->sq_completed, now());
    }
    const Request oldest = queue.requests.pop();
    if (oldest.reading) {
        reads_.close(oldest.read);
        if (!oldest.done) {
            end_read(queue);
        }
    }
    return oldest;
}

void Completer::fail_qp(QpNum qp) {
    Queue& queue = queues_.at(qp_index(qp));
    queue.failed = true;
    queue.next = queue.unacknowledged;
    kept_.drop(qp_index(qp));
    show_window(queue);
    stop_timer(queue);
    while (!queue.requests.empty()) {
        ++flushed_;
        const WqeHeader flushed = take_oldest(queue).wqe;
        ledgers_.mark({host_, flushed.request}, queue.waited_for.value_or(Account::ack_return), now());
        complete(qp, queue, flushed, WcStatus::wr_flush, now(), false);
    }
}

bool Completer::is_quiet(QpNum qp) const {
    return queues_.at(qp_index(qp)).requests.empty();
}

void Completer::destroy_qp(QpNum) {}

void Completer::report(StatSink& sink) const {
    sink.add("acks", acks_, StatUnit::count, "acknowledgements received");
    sink.add("naks", naks_, StatUnit::count, "negative acknowledgements received, RNR included");
    sink.add("rnr_naks", rnr_naks_, StatUnit::count, "times that the peer was not ready");
    sink.add("timeouts", timeouts_, StatUnit::count, "times that nobody answered");
    sink.add("rewinds", rewinds_, StatUnit::count, "times that requests were sent again");
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

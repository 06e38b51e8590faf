// SPDX-License-Identifier: Apache-2.0
#include "models/transport/completer.hpp"

#include <algorithm>

#include "models/ports/qp_watch.hpp"
#include "models/ports/ranks.hpp"
#include "models/proto/aeth_credits.hpp"
#include "models/proto/rnr_timer.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kForEver = 7;  // as an RNR retry count [X23]

// What a fatal NAK means for the request that it names [wire.md 8].
WcStatus status_of(std::uint8_t syndrome) {
    switch (syndrome) {
        case Aeth::kNakInvalidRequest:
            return WcStatus::rem_inv_req;
        case Aeth::kNakRemoteAccess:
            return WcStatus::rem_access;
        default:
            return WcStatus::rem_op;
    }
}

// Signed distance of 24-bit message numbers.
std::int32_t ahead_of(std::uint32_t a, std::uint32_t b) {
    return Psn{a}.ahead_of(Psn{b});
}

}  // namespace

Completer::Completer(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                     HostId host, Ledgers& ledgers, ReadResponses& reads, LocalOperations& locals)
    : Unit(name, timeline),
      params_(params),
      timeout_(ack_timeout(params.timeout_code)),
      host_(host),
      ledgers_(ledgers),
      reads_(reads),
      failures_(*this, timeline, kRankTransport),
      timers_(*this, timeline, kRankTransport),
      rnr_timers_(*this, timeline, kRankTransport),
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
    queues_[index].cq = attributes.send_cq;
    queues_[index].pd = attributes.pd;
    queues_[index].invalidate_waits = attributes.invalidate_waits;
    queues_[index].watch = attributes.watch;
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
    queue.doomed = status != WcStatus::success;
    ledgers_.mark({host_, request.wqe.request}, Account::context, now());
    retire(qp, queue);
    work->resume_qp(qp);
}

void Completer::expect_read(QpNum qp, const WqeHeader& wqe, Psn first, Psn end, std::uint32_t read) {
    Request& request = expect(qp, wqe, first, end);
    request.read = read;
    request.reading = true;
    queues_[qp_index(qp)].open_reads.push(wqe.index);
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

Stall Completer::may_begin(QpNum qp, const Wqe& wqe) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.waits_for_peer) {
        return Stall::rnr;
    }
    if (queue.local_begun) {
        return Stall::local_operation;
    }
    if (find(qp, wqe.header) != nullptr) {
        return Stall::none;  // sent again
    }
    if (queue.doomed) {
        return Stall::local_operation;  // nothing behind a request that has failed may begin
    }
    if (wqe.header.opcode == WqeOpcode::invalidate && queue.invalidate_waits && !queue.requests.empty()) {
        return Stall::fence;
    }
    if (wqe.header.has(kWqeReadFence)) {
        if (!queue.open_reads.empty() || queue.reads_placed > 0) {
            return Stall::fence;
        }
        if (queue.visible > now()) {
            fences_.push(queue.visible, qp);
            return Stall::fence;
        }
    }
    if (wqe.header.opcode == WqeOpcode::read) {
        if (queue.open_reads.size() >= queue.outbound_reads) {
            return Stall::read_limit;
        }
        if (!reads_.has_room(wqe.length())) {
            waiting_for_room_.push_back(qp);
            if (const auto when = reads_.room_at(wqe.length())) {
                rooms_.push(*when, 0);
            }
            return Stall::read_buffer;
        }
    }
    // One message beyond the limit may go, as a probe [X18].
    const bool takes_receive =
        wqe.header.opcode == WqeOpcode::send || wqe.header.opcode == WqeOpcode::send_and_invalidate;
    if (queue.credits && takes_receive && ahead_of(queue.ssn + 1, queue.limit + 1) > 0) {
        return Stall::credits;
    }
    return Stall::none;
}

void Completer::look_at_fence(const QpNum& qp) {
    work->resume_qp(qp);
}

void Completer::read_visible(QpNum qp, Picoseconds when) {
    Queue& queue = queues_[qp_index(qp)];
    --queue.reads_placed;
    queue.visible = std::max(queue.visible, when);
    if (queue.reads_placed == 0) {
        work->resume_qp(qp);
    }
}

void Completer::read_room(Picoseconds when) {
    if (!waiting_for_room_.empty()) {
        rooms_.push(std::max(now(), when), 0);
    }
}

void Completer::look_for_room(const int&) {
    for (const QpNum qp : std::exchange(waiting_for_room_, {})) {
        work->resume_qp(qp);
    }
}

void Completer::flush(QpNum qp, const WqeHeader& wqe) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.watch != nullptr) {
        QpWatch::move(queue.watch->sq_fetched, queue.watch->sq_completed, now());
    }
    ++flushed_;
    complete(qp, queue, wqe, WcStatus::wr_flush, now(), false);
}

void Completer::acknowledge(const Packet& ack) {
    const QpNum qp = ack.destination;
    Queue& queue = queues_.at(qp_index(qp));
    if (queue.failed) {
        return;
    }
    const std::uint8_t kind = ack.aeth.syndrome & 0xE0U;
    ++(kind == 0 ? acks_ : naks_);
    // One that passes the responses of a Read tells that they were lost [X13].
    const Psn said = kind == 0 ? ack.psn + 1 : ack.psn;
    const Request* const read = open_read(queue);
    const bool passes = read != nullptr && said.ahead_of(answered(*read)) > 0;
    if (kind == 0) {
        take_credits(queue, ack.aeth);
        progress(qp, queue, passes ? answered(*read) : said);
        if (passes && !queue.failed && !queue.recovering) {
            send_again(qp, queue, Account::retransmit);
        }
        work->resume_qp(qp);
        return;
    }
    if (said.ahead_of(queue.unacknowledged) < 0) {
        return;  // an old one
    }
    progress(qp, queue, passes ? answered(*read) : said);
    if (queue.failed || oldest_open(queue) == nullptr) {
        return;
    }
    if (passes) {
        send_again(qp, queue, Account::retransmit);
        return;
    }
    if (kind == Aeth::kRnrNak) {
        not_ready(qp, queue, ack.aeth.syndrome & 0x1FU);
    } else if (ack.aeth.syndrome == Aeth::kNakSequence) {
        send_again(qp, queue, Account::retransmit);
    } else {
        fail(qp, queue, status_of(ack.aeth.syndrome));
    }
}

void Completer::take_credits(Queue& queue, const Aeth& aeth) {
    if (!queue.credits) {
        return;
    }
    const std::optional<std::uint32_t> credits = credits_of(aeth.syndrome & 0x1FU);
    if (!credits) {
        queue.credits = false;
        return;
    }
    raise_limit(queue, (aeth.msn + *credits) & Psn::kMask);
}

void Completer::raise_limit(Queue& queue, std::uint32_t limit) {
    if (ahead_of(limit, queue.limit) > 0) {
        queue.limit = limit;
    }
}

void Completer::response(const Packet& packet, Interval at) {
    const QpNum qp = packet.destination;
    Queue& queue = queues_.at(qp_index(qp));
    Request* const read = open_read(queue);
    if (queue.failed || read == nullptr) {
        reads_.drop(packet);
        return;
    }
    const std::int32_t ahead = packet.psn.ahead_of(answered(*read));
    if (ahead != 0) {
        reads_.drop(packet);
        if (ahead > 0 && !queue.recovering) {
            // It acknowledges what is before the Read; of the Read itself something is missing [X14].
            progress(qp, queue, answered(*read));
            if (!queue.failed) {
                send_again(qp, queue, Account::retransmit);
            }
        }
        return;
    }
    const ReadResponses::Fit fit = reads_.fit(read->read, packet);
    if (fit != ReadResponses::Fit::fits) {
        progress(qp, queue, answered(*read));
        reads_.drop(packet);
        if (!queue.failed) {
            fail(qp, queue, fit == ReadResponses::Fit::malformed ? WcStatus::bad_resp : WcStatus::loc_prot);
        }
        return;
    }
    const Psn next = packet.psn + 1;
    if (info(packet.opcode).last) {
        // Its message number is progress of the peer, too: no acknowledgement may follow that tells of more [X18].
        raise_limit(queue, packet.aeth.msn);
        read->done = true;
        if (read->wqe.token != 0 && !keys->invalidate(MrKey{read->wqe.token}, queue.pd, qp)) {
            read->failed = WcStatus::invalidate_error;
        }
        queue.open_reads.pop();
        ++queue.reads_placed;
    }
    reads_.place(read->read, packet, at);
    progress(qp, queue, next);
    work->resume_qp(qp);
}

// Everything before `up_to` is acknowledged.
void Completer::progress(QpNum qp, Queue& queue, Psn up_to) {
    const std::int32_t packets = up_to.ahead_of(queue.unacknowledged);
    // What was sent before a rewind may be acknowledged after it, and need not be sent again.
    const std::int32_t under_way = queue.next.ahead_of(queue.unacknowledged);
    const bool overtaken = packets > under_way;
    if (packets > 0) {
        queue.unacknowledged = up_to;
        queue.retries = 0;  // [X16]
        queue.rnr_naks = 0;
        queue.recovering = false;
        stop_timer(queue);
    }
    retire(qp, queue);
    if (overtaken && !queue.failed) {
        queue.next = up_to;
        work->rewind(qp, queue.requests.empty() ? queue.next_place : queue.requests.front().place);
    }
    show_window(queue);
    if (!queue.failed && !queue.timing && queue.next != queue.unacknowledged && oldest_open(queue) != nullptr) {
        start_timer(qp, queue);
    }
}

bool Completer::is_complete(const Queue& queue, const Request& request) {
    return request.wqe.is_local() || request.wqe.opcode == WqeOpcode::read
               ? request.done
               : request.end.ahead_of(queue.unacknowledged) <= 0;
}

// The watch shows how full the window is; a Read may have more responses than the window has packets.
void Completer::show_window(Queue& queue) {
    if (queue.watch == nullptr) {
        return;
    }
    const auto outstanding = static_cast<std::uint32_t>(std::max(0, queue.next.ahead_of(queue.unacknowledged)));
    const std::uint32_t level = std::min(outstanding, params_.psn_window);
    if (level > queue.in_window) {
        queue.watch->psn_window.take(level - queue.in_window, now());
    } else if (level < queue.in_window) {
        queue.watch->psn_window.give(queue.in_window - level, now());
    }
    queue.in_window = level;
}

void Completer::retire(QpNum qp, Queue& queue) {
    while (!queue.failed && !queue.requests.empty()) {
        const Request& head = queue.requests.front();
        if (head.failed != WcStatus::success) {
            fail(qp, queue, head.failed);
            return;
        }
        if (!is_complete(queue, head)) {
            return;
        }
        ++retired_;
        const bool read = head.reading;
        if (!read) {
            ledgers_.mark({host_, head.wqe.request}, Account::ack_return, now());
        }
        const Request done = take_oldest(queue);
        if (done.wqe.has(kWqeSignaled)) {
            complete(qp, queue, done.wqe, WcStatus::success, now(), read);
        }
    }
}

// The oldest request with packets that are not acknowledged or not answered.
Completer::Request* Completer::oldest_open(Queue& queue) {
    if (queue.requests.empty() || queue.requests.front().failed != WcStatus::success) {
        return nullptr;
    }
    return &queue.requests.front();
}

Completer::Request* Completer::open_read(Queue& queue) {
    return queue.open_reads.empty() ? nullptr
                                    : &queue.requests[queue.open_reads.front() - queue.requests.front().wqe.index];
}

void Completer::not_ready(QpNum qp, Queue& queue, std::uint8_t code) {
    if (queue.waits_for_peer) {
        return;  // nothing was sent since the last one: it has come twice
    }
    ++rnr_naks_;
    if (queue.rnr_retry != kForEver && queue.rnr_naks >= queue.rnr_retry) {
        fail(qp, queue, WcStatus::rnr_retry_exceeded);
        return;
    }
    ++queue.rnr_naks;
    queue.waits_for_peer = true;
    rnr_timers_.push(now() + rnr_wait(code), qp);
    rewind(qp, queue, Account::ack_return);
}

void Completer::peer_is_ready(const QpNum& qp) {
    Queue& queue = queues_[qp_index(qp)];
    queue.waits_for_peer = false;
    if (!queue.failed) {
        work->resume_qp(qp);
    }
}

void Completer::send_again(QpNum qp, Queue& queue, Account why) {
    if (queue.retries >= params_.retry_count) {
        fail(qp, queue, WcStatus::retry_exceeded);
        return;
    }
    ++queue.retries;
    rewind(qp, queue, why);
}

// Go-back-N: everything from the oldest open request on is fetched, read and sent again.
void Completer::rewind(QpNum qp, Queue& queue, Account why) {
    ++rewinds_;
    queue.recovering = true;
    stop_timer(queue);
    for (std::size_t i = 0; i < queue.requests.size(); ++i) {
        ledgers_.mark({host_, queue.requests[i].wqe.request}, why, now());
    }
    queue.next = queue.unacknowledged;
    show_window(queue);
    work->rewind(qp, oldest_open(queue)->place);
}

void Completer::sent(QpNum qp, Psn next) {
    Queue& queue = queues_[qp_index(qp)];
    queue.next = next;
    show_window(queue);
    if (!queue.timing) {
        start_timer(qp, queue);
    }
}

// One entry in the timers for each queue pair, however often its deadline moves.
void Completer::start_timer(QpNum qp, Queue& queue) {
    if (timeout_ == Picoseconds{} || queue.waits_for_peer) {
        return;
    }
    queue.timing = true;
    ++timing_;
    queue.deadline = now() + timeout_;
    if (!std::exchange(queue.in_timers, true)) {
        timers_.push(queue.deadline, qp);
    }
}

void Completer::stop_timer(Queue& queue) {
    if (!std::exchange(queue.timing, false)) {
        return;
    }
    if (--timing_ == 0) {
        // With nothing to wait for, the timers must not keep the simulation alive.
        timers_.clear([this](QpNum qp) { queues_[qp_index(qp)].in_timers = false; });
    }
}

void Completer::times_out(const QpNum& qp) {
    Queue& queue = queues_[qp_index(qp)];
    queue.in_timers = false;
    if (!queue.timing) {
        return;
    }
    if (queue.deadline > now()) {
        queue.in_timers = true;
        timers_.push(queue.deadline, qp);
        return;
    }
    ++timeouts_;
    if (oldest_open(queue) != nullptr) {
        send_again(qp, queue, Account::retransmit);
    }
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
    end_oldest(qp, queue, status);
    // As the reason of an end, an invalidation error is one of the peer's requests; this is one of our own.
    faults->qp_failed(qp, status == WcStatus::invalidate_error ? WcStatus::loc_qp_op : status);
}

void Completer::end_oldest(QpNum qp, Queue& queue, WcStatus status) {
    const Request head = take_oldest(queue);
    ledgers_.mark({host_, head.wqe.request}, Account::ack_return, now());
    complete(qp, queue, head.wqe, status, now(), head.reading && head.done);
}

void Completer::fail_oldest(QpNum qp, WcStatus status) {
    Queue& queue = queues_.at(qp_index(qp));
    if (!queue.failed && !queue.requests.empty()) {
        end_oldest(qp, queue, status);
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
            queue.open_reads.pop();
        }
    }
    return oldest;
}

void Completer::fail_qp(QpNum qp) {
    Queue& queue = queues_.at(qp_index(qp));
    queue.failed = true;
    queue.next = queue.unacknowledged;
    show_window(queue);
    stop_timer(queue);
    while (!queue.requests.empty()) {
        ++flushed_;
        complete(qp, queue, take_oldest(queue).wqe, WcStatus::wr_flush, now(), false);
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

// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/proto/rnr_timer.hpp"
#include "models/transport/completer.hpp"

// How requests are sent again: after a NAK, a wait for the peer, or a timeout.
namespace ndsim {

namespace {

constexpr std::uint32_t kForEver = 7;  // as an RNR retry count [X23]

}  // namespace

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
    queue.refused_at = now();
    rnr_timers_.push(now() + rnr_wait(code), qp);
    rewind(qp, queue, Account::ack_return);
}

void Completer::peer_is_ready(const QpNum& qp) {
    Queue& queue = queues_[qp_index(qp)];
    if (queue.qp != qp) {
        return;  // it is gone
    }
    if (!queue.failed && queue.rnr_retry == kForEver) {
        timeline().retries_for_ever();
    }
    queue.waits_for_peer = false;
    if (!queue.failed) {
        work->resume_qp(qp);
    }
}

std::vector<Completer::Refused> Completer::refused() const {
    std::vector<Refused> result;
    for (const Queue& queue : queues_) {
        if (queue.rnr_naks > 0 && !queue.failed) {
            result.push_back({queue.qp, queue.rnr_naks, queue.refused_at, queue.rnr_retry == kForEver});
        }
    }
    return result;
}

void Completer::send_again(QpNum qp, Queue& queue, Account why) {
    if (queue.retries >= params_.retry_count) {
        fail(qp, queue, WcStatus::retry_exceeded);
        return;
    }
    ++queue.retries;
    rewind(qp, queue, why);
}

// Go-back-N: everything from the oldest open request on is sent again.
void Completer::rewind(QpNum qp, Queue& queue, Account why) {
    ++rewinds_;
    queue.recovering = true;
    stop_timer(queue);
    for (std::size_t i = 0; i < queue.requests.size(); ++i) {
        ledgers_.mark({host_, queue.requests[i].wqe.request}, why, now());
    }
    queue.next = queue.unacknowledged;
    show_window(queue);
    go_back(qp, queue);
}

// What is kept without a gap is sent again as it is. Behind that requests are fetched and their payload is read again,
// from the WQE of the first packet on that is not kept.
void Completer::go_back(QpNum qp, Queue& queue) {
    const Psn end = kept_.rewind(qp_index(qp), queue.unacknowledged);
    std::size_t first = 0;
    while (end != queue.unacknowledged && first < queue.requests.size() &&
           queue.requests[first].end.ahead_of(end) <= 0) {
        ++first;
    }
    work->rewind(qp, first < queue.requests.size() ? queue.requests[first].place : queue.next_place);
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

// The entry may be one of a queue pair that is gone, in whose place another one is.
void Completer::times_out(const QpNum& of) {
    Queue& queue = queues_[qp_index(of)];
    const QpNum qp = queue.qp;
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

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/transport/recovery.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ranks.hpp"
#include "models/proto/rnr_timer.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kForEver = 7;  // as an RNR retry count [X23]

}  // namespace

Recovery::Recovery(Timeline& timeline, const TransportParams& params, RecoveryOwner& owner, PsnWindows& windows,
                   RetransmitBuffer& kept, SendGate& gate, sc_core::sc_port<WorkPort>& work)
    : timeline_(timeline),
      retry_count_(params.retry_count),
      timeout_(ack_timeout(params.timeout_code)),
      owner_(owner),
      windows_(windows),
      kept_(kept),
      gate_(gate),
      work_(work),
      timers_(*this, timeline, kRankTransport),
      rnr_timers_(*this, timeline, kRankTransport, LaneKind::retries) {}

void Recovery::create(QpNum qp) {
    const std::uint32_t index = qp_index(qp);
    const bool in_timers = grown(attempts_, index).in_timers;  // an entry of a former queue pair is taken over
    attempts_[index] = {};
    attempts_[index].in_timers = in_timers;
    attempts_[index].qp = qp;
}

void Recovery::connect(QpNum qp, const QpConnection& connection) {
    of(qp).rnr_retry = connection.rnr_retry;
    of(qp).asked = connection.first_psn;
}

void Recovery::stop(QpNum qp) {
    kept_.drop(qp_index(qp));
    windows_.go_back(qp, timeline_.now());
    stop_timer(qp);
    if (gate_.waits_for_peer(qp)) {
        rnr_timers_.drop_if([qp](QpNum waits) { return waits == qp; });
        gate_.wait_for_peer(qp, false);
    }
}

void Recovery::send_again(QpNum qp, Account why) {
    if (of(qp).retries >= retry_count_) {
        owner_.give_up(qp, WcStatus::retry_exceeded);
        return;
    }
    ++of(qp).retries;
    rewind(qp, why);
}

void Recovery::not_ready(QpNum qp, std::uint8_t code) {
    Attempts& attempts = of(qp);
    if (gate_.waits_for_peer(qp)) {
        return;  // nothing was sent since the last one: it is a duplicate
    }
    ++rnr_naks_;
    if (attempts.rnr_retry != kForEver && attempts.rnr_naks >= attempts.rnr_retry) {
        owner_.give_up(qp, WcStatus::rnr_retry_exceeded);
        return;
    }
    ++attempts.rnr_naks;
    attempts.refused_at = timeline_.now();
    gate_.wait_for_peer(qp, true);
    rnr_timers_.push(timeline_.now() + rnr_wait(code), qp);
    rewind(qp, Account::ack_return);
}

void Recovery::peer_is_ready(const QpNum& qp) {
    const Attempts& attempts = of(qp);
    if (attempts.qp != qp) {
        return;  // the queue pair is gone
    }
    gate_.wait_for_peer(qp, false);
    if (attempts.rnr_retry == kForEver) {
        timeline_.retries_for_ever();
    }
    owner_.charge(qp, Account::rnr);  // the requests behind the refused one have waited for the same
    of(qp).none_asked = true;
    expect_answer(qp);
    work_->resume_qp(qp);
}

std::vector<RefusedQueuePair> Recovery::refused() const {
    std::vector<RefusedQueuePair> result;
    for (const Attempts& attempts : attempts_) {
        if (attempts.rnr_naks > 0 && !owner_.has_failed(attempts.qp)) {
            result.push_back({attempts.qp, attempts.rnr_naks, attempts.refused_at, attempts.rnr_retry == kForEver});
        }
    }
    return result;
}

void Recovery::progress(QpNum qp) {
    Attempts& attempts = of(qp);
    attempts.retries = 0;  // [X16]
    attempts.rnr_naks = 0;
    attempts.recovering = false;
    stop_timer(qp);
}

void Recovery::rewind(QpNum qp, Account why) {
    ++rewinds_;
    of(qp).recovering = true;
    stop_timer(qp);
    owner_.charge(qp, why);
    windows_.go_back(qp, timeline_.now());
    go_back(qp);
}

// Packets kept without a gap are sent again as they are. Later requests are fetched and their payload is read again,
// from the WQE of the first packet that is not kept.
void Recovery::go_back(QpNum qp) {
    const Psn first = windows_.unacknowledged(qp);
    of(qp).none_asked = true;
    of(qp).none_issued = true;
    of(qp).asked = first;
    if (owner_.has_open(qp)) {  // or no answer comes
        expect_answer(qp);
    }
    const Psn end = kept_.rewind(qp_index(qp), first);
    work_->rewind(qp, owner_.rewind_requests(qp, end == first ? std::nullopt : std::optional(end)));
}

// A packet that is to be sent again may still leave as it was before: that shows only that the lane takes packets.
void Recovery::asked(QpNum qp, Psn first, Psn end, Picoseconds at) {
    Attempts& attempts = of(qp);
    last_left_ = std::max(last_left_, at);
    if (end.ahead_of(windows_.unacknowledged(qp)) <= 0) {
        return;  // answered already
    }
    const bool is_new = first.ahead_of(windows_.next(qp)) < 0;
    if (is_new && end.ahead_of(attempts.asked) > 0) {
        attempts.asked = end;
    }
    if (attempts.none_asked || !attempts.timing) {
        attempts.none_asked = attempts.none_asked && !is_new;
        wait_from(qp, at);
    }
}

void Recovery::expect_answer(QpNum qp) {
    const Attempts& attempts = of(qp);
    if (!attempts.timing && (attempts.none_asked || attempts.asked.ahead_of(windows_.unacknowledged(qp)) > 0)) {
        wait_from(qp, timeline_.now());
    }
}

// Each queue pair has one entry in the timers, however often its deadline moves.
void Recovery::wait_from(QpNum qp, Picoseconds begin) {
    Attempts& attempts = of(qp);
    if (timeout_ == Picoseconds{} || gate_.waits_for_peer(qp)) {
        return;
    }
    attempts.deadline = begin + timeout_;
    timing_ += attempts.timing ? 0 : 1;
    attempts.timing = true;
    if (!std::exchange(attempts.in_timers, true)) {
        timers_.push(attempts.deadline, qp);
    }
}

void Recovery::stop_timer(QpNum qp) {
    if (!std::exchange(of(qp).timing, false)) {
        return;
    }
    if (--timing_ == 0) {
        // With nothing to wait for, the timers must not keep the simulation alive.
        timers_.clear([this](QpNum each) { of(each).in_timers = false; });
    }
}

// Whether the queue pair has not had its turn since it went back, while others had theirs. On a lane that takes no
// packets it gives up, although it cannot send anything.
bool Recovery::waits_for_own_nic(const Attempts& attempts) const {
    return attempts.none_issued && last_left_ > attempts.deadline - timeout_;
}

// The entry may belong to a former queue pair whose place another one has taken.
void Recovery::times_out(const QpNum& entry) {
    Attempts& attempts = of(entry);
    const QpNum qp = attempts.qp;
    attempts.in_timers = false;
    if (!attempts.timing) {
        return;
    }
    if (waits_for_own_nic(attempts)) {
        attempts.deadline = last_left_ + timeout_;
    }
    if (attempts.deadline > timeline_.now()) {
        attempts.in_timers = true;
        timers_.push(attempts.deadline, qp);
        return;
    }
    ++timeouts_;
    if (owner_.has_open(qp)) {
        send_again(qp, Account::retransmit);
    }
}

}  // namespace ndsim

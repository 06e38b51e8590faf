// SPDX-License-Identifier: Apache-2.0
#include "models/cq/cq_interrupts.hpp"

#include <algorithm>

#include "sim/base/slots.hpp"

namespace ndsim {

CqInterrupts::CqInterrupts(Timeline& timeline, const CqParams& params, const CqRings& rings, EntryWriter& writer,
                           sc_core::sc_port<DmaPort>& dma)
    : timeline_(timeline), params_(params), rings_(rings), writer_(writer), dma_(dma), deadlines_(*this, timeline) {}

void CqInterrupts::create(const CqAttributes& attributes) {
    Queue& queue = grown(queues_, raw(attributes.cq));
    queue = {};
    queue.cq = attributes.cq;
    queue.open = true;
    queue.failures_are_errors = params_.errors_arm_on_failed_wr || attributes.failures_are_errors;
    queue.arms_are_typed = params_.arm_immediate == ArmImmediate::typed || attributes.arms_are_typed;
    queue.vector = attributes.vector;
}

void CqInterrupts::close(CqNum cq) {
    Queue& queue = queues_[raw(cq)];
    queue.open = false;
    wait_no_longer(queue);
}

// Whether a completion meets the queue's arm [ndkpi.md 5.4].
bool CqInterrupts::meets(const Queue& queue, const Cqe& cqe) {
    const bool failed = cqe.status != WcStatus::success;
    switch (queue.armed) {
        case Arm::none:
            return false;
        case Arm::errors:
            return failed && queue.failures_are_errors;
        case Arm::solicited:
            return cqe.solicited || failed;
        case Arm::any:
            return true;
    }
    return false;
}

// Whether one of the entries from `from` on, which exist, meets the new arm.
bool CqInterrupts::met_since(const Queue& queue, std::uint64_t from) {
    if (!queue.arms_are_typed || queue.armed == Arm::any) {
        return true;
    }
    const bool failed = queue.failed > from;
    return queue.armed == Arm::errors ? failed && queue.failures_are_errors : failed || queue.solicited > from;
}

void CqInterrupts::arm(const CqArm& arm) {
    ++arms_;
    Queue& queue = queues_[raw(arm.cq)];
    // An interrupt that waits or is on its way also answers this arm.
    if (!queue.open || queue.met || arm.serial != queue.interrupts) {
        return;
    }
    queue.armed = stronger(queue.armed, arm.wish);
    const std::uint64_t produced = rings_.produced(arm.cq);
    const auto news = static_cast<std::int32_t>(static_cast<std::uint32_t>(produced) - arm.seen);
    const std::uint64_t from = produced - static_cast<std::uint64_t>(std::max(news, 0));
    if (news > 0 && met_since(queue, from)) {
        queue.met = MetArm{from, since(queue, static_cast<std::size_t>(news))};
        notify_or_wait(queue, timeline_.now());
    }
}

// When the first of the last `news` entries was made. One from before the moderation, or before the last interrupt,
// counts from there.
Picoseconds CqInterrupts::since(const Queue& queue, std::size_t news) {
    return queue.made.size() < news ? queue.made_from : queue.made[queue.made.size() - news];
}

void CqInterrupts::entered(CqNum cq, const Cqe& cqe, Picoseconds at, bool bulk) {
    Queue& queue = queues_[raw(cq)];
    const std::uint64_t produced = rings_.produced(cq);
    queue.solicited = cqe.solicited ? produced : queue.solicited;
    queue.failed = cqe.status != WcStatus::success ? produced : queue.failed;
    queue.bulk = bulk ? produced : queue.bulk;
    if (queue.moderation.is_on()) {
        queue.made.push(at);
        queue.made.drop(queue.made.size() - std::min<std::size_t>(queue.made.size(), rings_.unpolled(cq)));
    }
    if (queue.met) {
        ++moderated_;
        if (has_enough_entries(queue)) {
            interrupt(queue, at);
        }
    } else if (meets(queue, cqe)) {
        queue.met = MetArm{produced - 1, at};
        notify_or_wait(queue, at);
    }
}

bool CqInterrupts::has_enough_entries(const Queue& queue) const {
    return queue.moderation.count && rings_.produced(queue.cq) - queue.met->from >= *queue.moderation.count;
}

// The queue's arm has been met; the last entry is ready at `at`.
void CqInterrupts::notify_or_wait(Queue& queue, Picoseconds at) {
    const auto& interval = queue.moderation.interval;
    const bool waited = interval && queue.met->since + *interval <= timeline_.now();
    if (!queue.moderation.is_on() || has_enough_entries(queue) || waited) {
        interrupt(queue, at);
    } else if (interval) {
        deadlines_.set(queue.cq, queue.met->since + *interval);
    }
}

void CqInterrupts::interrupt(Queue& queue, Picoseconds at) {
    writer_.flush(queue.cq);
    // The message follows the entries in their stream of writes, so the handler finds them. If they came in both
    // streams, it takes the one behind payload.
    WriteTrain train;
    train.to = Address{queue.vector};
    train.express = queue.bulk <= queue.met->from;
    train.interrupt = true;
    train.ready = {at, at};
    train.use = TlpUse::interrupt;
    dma_->write(train, nullptr);
    ++interrupts_;
    ++queue.interrupts;
    queue.armed = Arm::none;
    queue.made.clear();
    queue.made_from = at;
    wait_no_longer(queue);
}

void CqInterrupts::wait_no_longer(Queue& queue) {
    queue.met.reset();
    deadlines_.drop(queue.cq);
}

void CqInterrupts::moderated_long_enough(CqNum cq) {
    interrupt(queues_[raw(cq)], timeline_.now());
}

void CqInterrupts::moderate(CqNum cq, const Moderation& moderation) {
    Queue& queue = queues_.at(raw(cq));
    if (!queue.moderation.is_on()) {
        queue.made.clear();
        queue.made_from = timeline_.now();
    }
    queue.moderation = moderation;
    ++moderations_;
    if (queue.met) {  // its waiting interrupt now follows the new setting [K94]
        deadlines_.drop(cq);
        notify_or_wait(queue, timeline_.now());
    }
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/cq/engine.hpp"

// When the completion engine raises an interrupt: what a queue is armed for, and how long moderation lets it wait.
namespace ndsim {

bool CompletionEngine::failures_are_errors(const Queue& queue) const {
    return params_.cq.errors_arm_on_failed_wr || queue.attributes.failures_are_errors;
}

// Whether a completion meets what the queue is armed for [ndkpi.md 5.4].
bool CompletionEngine::meets(const Queue& queue, const Cqe& cqe) const {
    const bool failed = cqe.status != WcStatus::success;
    switch (queue.armed) {
        case Arm::none:
            return false;
        case Arm::errors:
            return failed && failures_are_errors(queue);
        case Arm::solicited:
            return cqe.solicited || failed;
        case Arm::any:
            return true;
    }
    return false;
}

// Whether an entry from `from` on, of which there is one at least, meets the arm that has just come.
bool CompletionEngine::met_since(const Queue& queue, std::uint64_t from) const {
    if (params_.cq.arm_immediate == ArmImmediate::literal || queue.armed == Arm::any) {
        return true;
    }
    const bool failed = queue.failed > from;
    return queue.armed == Arm::errors ? failed && failures_are_errors(queue) : failed || queue.solicited > from;
}

void CompletionEngine::arm(const CqArm& arm) {
    ++arms_;
    Queue& queue = queues_.at(raw(arm.cq));
    polled(queue, arm.consumer);
    // An interrupt that waits or is on its way answers this arm, too.
    if (!queue.present || queue.overrun || queue.met || arm.serial != queue.interrupts) {
        return;
    }
    queue.armed = stronger(queue.armed, arm.wish);
    const auto news = static_cast<std::int32_t>(static_cast<std::uint32_t>(queue.produced) - arm.seen);
    const std::uint64_t from = queue.produced - static_cast<std::uint64_t>(std::max(news, 0));
    if (news > 0 && met_since(queue, from)) {
        queue.met = MetArm{from, queue.oldest.value_or(now())};
        notify_or_wait(queue, now());
    }
}

bool CompletionEngine::has_gathered(const Queue& queue) {
    return queue.moderation.count && queue.produced - queue.met->from >= *queue.moderation.count;
}

// The arm of the queue has been met; the last entry is ready at `at`.
void CompletionEngine::notify_or_wait(Queue& queue, Picoseconds at) {
    const auto& interval = queue.moderation.interval;
    const bool waited = interval && queue.met->since + *interval <= now();
    if (!queue.moderation.is_on() || has_gathered(queue) || waited) {
        interrupt(queue, at);
    } else if (interval) {
        deadlines_.set(queue.attributes.cq, queue.met->since + *interval);
        set_alarm();
    }
}

void CompletionEngine::interrupt(Queue& queue, Picoseconds at) {
    write_gathered(queue);
    // The message follows the entries in their stream of writes, so the handler finds them. If they came in both, that
    // is the one behind payload.
    WriteTrain train;
    train.to = Address{queue.attributes.vector};
    train.express = queue.bulk <= queue.met->from;
    train.interrupt = true;
    train.ready = {at, at};
    train.use = TlpUse::interrupt;
    dma->write(train, nullptr);
    ++interrupts_;
    ++queue.interrupts;
    queue.armed = Arm::none;
    queue.oldest.reset();
    wait_no_longer(queue.attributes.cq);
}

void CompletionEngine::wait_no_longer(CqNum cq) {
    queues_.at(raw(cq)).met.reset();
    deadlines_.drop(cq);
    set_alarm();
}

void CompletionEngine::set_alarm() {
    if (const auto first = deadlines_.first()) {
        alarm_.set(*first);
    } else {
        alarm_.drop();
    }
}

void CompletionEngine::ring_due() {
    while (const auto cq = deadlines_.take_due(now())) {
        interrupt(queues_.at(raw(*cq)), now());
    }
    set_alarm();
}

void CompletionEngine::moderate_cq(CqNum cq, const Moderation& moderation) {
    Queue& queue = queues_.at(raw(cq));
    queue.moderation = moderation;
    ++moderations_;
    if (queue.met) {  // its interrupt waits: from now on by the new setting [K94]
        deadlines_.drop(cq);
        set_alarm();
        notify_or_wait(queue, now());
    }
}

}  // namespace ndsim

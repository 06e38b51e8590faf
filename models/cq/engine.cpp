// SPDX-License-Identifier: Apache-2.0
#include "models/cq/engine.hpp"

#include <algorithm>

#include "models/ports/cq_watch.hpp"
#include "models/ports/ranks.hpp"
#include "models/proto/little_endian.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

CompletionEngine::CompletionEngine(const sc_core::sc_module_name& name, Timeline& timeline, const CqParams& params,
                                   HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      alarm_(*this, timeline, kRankTransport) {
    completions.bind(*this);
    doorbells.bind(*this);
    lifecycle.bind(*this);
}

void CompletionEngine::create_cq(const CqAttributes& attributes) {
    if (queues_.size() <= raw(attributes.cq)) {
        queues_.resize(raw(attributes.cq) + 1);
    }
    Queue queue;
    queue.attributes = attributes;
    queue.present = true;
    queues_[raw(attributes.cq)] = queue;
}

void CompletionEngine::destroy_cq(CqNum cq) {
    queues_.at(raw(cq)).present = false;
    wait_no_longer(cq);
}

void CompletionEngine::complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) {
    Queue& queue = queues_.at(raw(cq));
    if (!queue.present || queue.overrun) {
        return;
    }
    if (queue.unconsumed() >= queue.attributes.limit) {
        overrun(queue);
        return;
    }
    ++cqes_;
    errors_ += cqe.status == WcStatus::success ? 0 : 1;
    request_.set(cqe.request, at);
    Cqe stamped = cqe;
    stamped.written = at;
    // Entries of one queue stay in order: behind one that follows payload, all do.
    const bool bulk = behind_payload || queue.bulk_under_way > 0;
    queue.bulk_under_way += bulk ? 1 : 0;
    const std::uint32_t slot = take_slot(written_, free_written_);
    written_[slot] = {cq, cqe.request, bulk};
    write_entry(queue, stamped, at, bulk, slot, this);
    note(queue, cqe, at, bulk);
    if (queue.met) {
        ++moderated_;
        if (has_gathered(queue)) {
            interrupt(queue, at);
        }
    } else if (meets(queue.armed, cqe)) {
        queue.met = MetArm{queue.produced - 1, at};
        notify_or_wait(queue, at);
    }
}

void CompletionEngine::overrun(Queue& queue) {
    queue.overrun = true;
    ++overruns_;
    // Software hears of it by an event, which no moderation delays [K95].
    wait_no_longer(queue.attributes.cq);
    faults->cq_failed(queue.attributes.cq);
}

void CompletionEngine::write_entry(const Queue& queue, const Cqe& cqe, Picoseconds at, bool bulk, std::uint32_t token,
                                   WriteClient* client) {
    const std::uint32_t entries = queue.attributes.entries;
    const std::uint32_t place = static_cast<std::uint32_t>(queue.produced) - queue.base;
    const PayloadRef buffer = payloads_.take();
    std::byte* const entry = payloads_.data(buffer);
    std::fill_n(entry, kCqeSize, std::byte{0});
    write_cqe(entry, cqe, cqe_owner_of(place, entries));
    WriteTrain train;
    train.to = queue.attributes.ring + std::uint64_t{place % entries} * kCqeSize;
    train.length = kCqeSize;
    train.payload = buffer;
    train.last_use = true;
    train.express = !bulk;
    train.ready = {at, at};
    train.token = token;
    train.use = TlpUse::cqe;
    dma->write(train, client);
}

void CompletionEngine::write_head(Address to, std::uint32_t head, Picoseconds at, bool behind_payload) {
    ++heads_;
    WriteTrain train;
    train.to = to;
    train.length = sizeof head;
    train.payload = payloads_.take();
    store_le(payloads_.data(train.payload), head);
    train.last_use = true;
    train.express = !behind_payload;
    train.ready = {at, at};
    train.use = TlpUse::head;
    dma->write(train, nullptr);
}

// Remembers of a new entry what a later arm has to know.
void CompletionEngine::note(Queue& queue, const Cqe& cqe, Picoseconds at, bool behind_payload) {
    ++queue.produced;
    queue.solicited = cqe.solicited ? queue.produced : queue.solicited;
    queue.failed = cqe.status != WcStatus::success ? queue.produced : queue.failed;
    queue.bulk = behind_payload ? queue.produced : queue.bulk;
    queue.oldest = queue.oldest.value_or(at);
    if (queue.attributes.watch != nullptr) {
        queue.attributes.watch->entries.take(1, now());
    }
}

void CompletionEngine::write_scheduled(std::uint32_t slot, Picoseconds, Picoseconds visible) {
    const Written& entry = written_[slot];
    queues_[raw(entry.cq)].bulk_under_way -= entry.bulk ? 1 : 0;
    ledgers_.mark({host_, entry.request}, Account::cqe, visible);
    free_written_.push_back(slot);
}

// Whether a completion meets what the queue is armed for [ndkpi.md 5.4].
bool CompletionEngine::meets(Arm armed, const Cqe& cqe) const {
    const bool failed = cqe.status != WcStatus::success;
    switch (armed) {
        case Arm::none:
            return false;
        case Arm::errors:
            return failed && params_.errors_arm_on_failed_wr;
        case Arm::solicited:
            return cqe.solicited || failed;
        case Arm::any:
            return true;
    }
    return false;
}

// Whether an entry from `from` on, of which there is one at least, meets the arm that has just come.
bool CompletionEngine::met_since(const Queue& queue, std::uint64_t from) const {
    if (params_.arm_immediate == ArmImmediate::literal || queue.armed == Arm::any) {
        return true;
    }
    const bool failed = queue.failed > from;
    return queue.armed == Arm::errors ? failed && params_.errors_arm_on_failed_wr : failed || queue.solicited > from;
}

void CompletionEngine::arm(const CqArm& arm) {
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

void CompletionEngine::consumer_index(CqNum cq, std::uint32_t consumer) {
    polled(queues_.at(raw(cq)), consumer);
}

// Two cores that poll one queue may store their indices in the other order.
void CompletionEngine::polled(Queue& queue, std::uint32_t consumer) {
    if (static_cast<std::int32_t>(consumer - queue.consumed) <= 0) {
        return;
    }
    if (queue.attributes.watch != nullptr) {
        queue.attributes.watch->entries.give(consumer - queue.consumed, now());
    }
    queue.consumed = consumer;
}

bool CompletionEngine::resize_cq(const CqResize& resize) {
    Queue& queue = queues_.at(raw(resize.cq));
    polled(queue, resize.consumer);
    if (queue.overrun || queue.unconsumed() > resize.limit) {
        return false;
    }
    ++resizes_;
    // The old ring has a place for this; software goes on in the new one when it gets here.
    Cqe moved;
    moved.moved = true;
    write_entry(queue, moved, now(), queue.bulk_under_way > 0, 0, nullptr);
    queue.attributes.ring = resize.ring;
    queue.attributes.entries = resize.entries;
    queue.attributes.limit = resize.limit;
    queue.base = static_cast<std::uint32_t>(queue.produced);
    return true;
}

void CompletionEngine::moderate_cq(CqNum cq, const Moderation& moderation) {
    Queue& queue = queues_.at(raw(cq));
    queue.moderation = moderation;
    if (queue.met) {  // its interrupt waits: from now on by the new setting [K94]
        deadlines_.drop(cq);
        set_alarm();
        notify_or_wait(queue, now());
    }
}

void CompletionEngine::report(StatSink& sink) const {
    sink.add("cqes", cqes_, StatUnit::count, "completion-queue entries written");
    sink.add("errors", errors_, StatUnit::count, "entries that report a failure");
    sink.add("interrupts", interrupts_, StatUnit::count, "interrupt messages sent");
    sink.add("moderated", moderated_, StatUnit::count, "entries that came while an interrupt waited");
    sink.add("overruns", overruns_, StatUnit::count, "completion queues that overran");
    sink.add("resizes", resizes_, StatUnit::count, "completion queues that got another ring");
    sink.add("heads", heads_, StatUnit::count, "times that software was told how far a send queue is retired");
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/cq/engine.hpp"

#include <algorithm>
#include <array>

#include "models/ports/cq_watch.hpp"

namespace ndsim {

namespace {

// Whether a completion meets what the queue is armed for [ndkpi.md 5.4].
bool meets(Arm armed, const Cqe& cqe) {
    switch (armed) {
        case Arm::none:
        case Arm::errors:
            return false;
        case Arm::solicited:
            return cqe.solicited || cqe.status != WcStatus::success;
        case Arm::any:
            return true;
    }
    return false;
}

}  // namespace

CompletionEngine::CompletionEngine(const sc_core::sc_module_name& name, Timeline& timeline, HostId host,
                                   Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline), host_(host), ledgers_(ledgers), payloads_(payloads) {
    completions.bind(*this);
    doorbells.bind(*this);
    lifecycle.bind(*this);
}

void CompletionEngine::create_cq(const CqAttributes& attributes) {
    if (queues_.size() <= raw(attributes.cq)) {
        queues_.resize(raw(attributes.cq) + 1);
    }
    queues_[raw(attributes.cq)] = {.attributes = attributes, .present = true};
}

void CompletionEngine::destroy_cq(CqNum cq) {
    queues_.at(raw(cq)).present = false;
}

void CompletionEngine::complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) {
    Queue& queue = queues_.at(raw(cq));
    if (!queue.present || queue.overrun) {
        return;
    }
    if (queue.produced - queue.consumed >= queue.attributes.limit) {
        queue.overrun = true;
        ++overruns_;
        faults->cq_failed(cq);
        return;
    }
    ++cqes_;
    errors_ += cqe.status == WcStatus::success ? 0 : 1;
    request_.set(cqe.request, at);

    const std::uint32_t entries = queue.attributes.entries;
    const PayloadRef buffer = payloads_.take();
    std::byte* const entry = payloads_.data(buffer);
    std::fill_n(entry, kCqeSize, std::byte{0});
    Cqe stamped = cqe;
    stamped.written = at;
    write_cqe(entry, stamped, cqe_owner_of(queue.produced, entries));
    WriteTrain train;
    train.to = queue.attributes.ring + std::uint64_t{queue.produced % entries} * kCqeSize;
    train.length = kCqeSize;
    train.payload = buffer;
    train.last_use = true;
    train.express = !behind_payload;
    train.ready = {at, at};
    train.token = cqe.request;
    train.use = TlpUse::cqe;
    ++queue.produced;
    if (queue.attributes.watch != nullptr) {
        queue.attributes.watch->entries.take(1, now());
    }
    queue.last_behind_payload = behind_payload;
    dma->write(train, this);
    if (meets(queue.armed, cqe)) {
        notify(queue, at, behind_payload);
    }
}

void CompletionEngine::write_scheduled(std::uint32_t request, Picoseconds, Picoseconds visible) {
    ledgers_.mark({host_, request}, Account::cqe, visible);
}

void CompletionEngine::notify(Queue& queue, Picoseconds at, bool behind_payload) {
    queue.armed = Arm::none;
    ++interrupts_;
    // The message follows its CQE in the same stream of writes, so the handler finds the entry.
    WriteTrain train;
    train.to = Address{queue.attributes.vector};
    train.express = !behind_payload;
    train.interrupt = true;
    train.ready = {at, at};
    train.use = TlpUse::interrupt;
    dma->write(train, nullptr);
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

void CompletionEngine::arm(CqNum cq, Arm wish, std::uint32_t consumer, std::uint32_t seen) {
    Queue& queue = queues_.at(raw(cq));
    polled(queue, consumer);
    queue.armed = stronger(queue.armed, wish);
    if (queue.present && static_cast<std::int32_t>(queue.produced - seen) > 0) {
        notify(queue, now(), queue.last_behind_payload);
    }
}

void CompletionEngine::report(StatSink& sink) const {
    sink.add("cqes", cqes_, StatUnit::count, "completion-queue entries written");
    sink.add("errors", errors_, StatUnit::count, "entries that report a failure");
    sink.add("interrupts", interrupts_, StatUnit::count, "interrupt messages sent");
    sink.add("overruns", overruns_, StatUnit::count, "completion queues that overran");
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/cq/completion_engine.hpp"

#include <algorithm>

#include "models/parts/ranks.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/little_endian.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

bool has_invalidated(const Cqe& cqe) {
    return cqe.opcode == WqeOpcode::receive && cqe.status == WcStatus::success && cqe.token != 0 && !cqe.invalidation;
}

// The entry for a key that a receive's message invalidated. Only the receive itself may be solicited (R48).
NewEntry invalidation_of(NewEntry entry) {
    entry.cqe.invalidation = true;
    entry.cqe.solicited = false;
    entry.cqe.bytes = 0;
    return entry;
}
NewEntry receive_of(NewEntry entry) {
    entry.cqe.token = 0;
    return entry;
}

}  // namespace

CompletionEngine::CompletionEngine(const sc_core::sc_module_name& name, Timeline& timeline, const QueueParams& params,
                                   HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      ledgers_(ledgers),
      payloads_(payloads),
      late_(*this, timeline, kRankTransport),
      times_(*this, timeline),
      interrupts_(timeline, params.cq, rings_, writer_, dma),
      writer_(*this, timeline, params, host, ledgers, payloads, rings_, times_, dma),
      overrun_(timeline, *this, rings_, times_, dma),
      host_(host) {
    completions.bind(*this);
    doorbells.bind(*this);
    lifecycle.bind(*this);
}

void CompletionEngine::create_cq(const CqAttributes& attributes) {
    const CqNum cq = attributes.cq;
    Queue& queue = grown(queues_, raw(cq));
    queue = {true, attributes.reports_invalidations, attributes.record, queue.life + 1};
    rings_.create(attributes);
    interrupts_.create(attributes);
    writer_.create(cq);
    overrun_.create(cq, attributes.record);
}

void CompletionEngine::destroy_cq(CqNum cq) {
    queues_.at(raw(cq)).present = false;
    overrun_.destroy(cq);
    writer_.forget(cq);
    interrupts_.close(cq);
}

// A key takes time to die. Its entry does not keep the link free meanwhile; only its queue waits.
void CompletionEngine::complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) {
    Queue& queue = queues_.at(raw(cq));
    if (!takes_entries(cq)) {
        lost(cqe);
        return;
    }
    if (queue.late == 0 && (at <= now() || !has_invalidated(cqe))) {
        accept(cq, {cqe, at, behind_payload});
        return;
    }
    queue.late_until = std::max(at, queue.late_until);
    ++queue.late;
    late_.push(queue.late_until, {cq, queue.life, {cqe, queue.late_until, behind_payload}});
}

void CompletionEngine::ready(const Late& late) {
    Queue& queue = queues_[raw(late.cq)];
    if (late.life != queue.life) {
        return;
    }
    --queue.late;
    if (takes_entries(late.cq)) {
        accept(late.cq, late.entry);
    } else {
        lost(late.entry.cqe);
    }
}

void CompletionEngine::accept(CqNum cq, const NewEntry& entry) {
    if (queues_[raw(cq)].reports_invalidations && has_invalidated(entry.cqe)) {
        accept(cq, invalidation_of(entry));
        accept(cq, receive_of(entry));
    } else if (overrun_.has_room(cq)) {
        enter(cq, entry);
    } else {
        overrun_.hold_back(cq, entry);
    }
}

void CompletionEngine::enter(CqNum cq, const NewEntry& entry) {
    ++cqes_;
    errors_ += entry.cqe.status == WcStatus::success ? 0 : 1;
    request_.set({host_, entry.cqe.request}, entry.at);
    Cqe stamped = entry.cqe;
    stamped.written = entry.at;
    const bool bulk = entry.behind_payload || writer_.has_bulk_under_way(cq);
    writer_.put(cq, stamped, bulk);
    rings_.add(cq, now());
    interrupts_.entered(cq, stamped, entry.at, bulk);
}

void CompletionEngine::overran(CqNum cq) {
    writer_.flush(cq);
    // Software learns of it by an event, which no moderation delays [K95].
    interrupts_.close(cq);
    faults->cq_failed(cq);
}

void CompletionEngine::lost(const Cqe& cqe) {
    if (cqe.status == WcStatus::success) {
        ledgers_.lose_completion({host_, cqe.request});
    }
}

// Heads go in the bulk stream: behind the payload of the Reads that they count, and without overtaking each other.
void CompletionEngine::write_head(Address to, std::uint32_t head, Picoseconds at) {
    ++heads_;
    WriteTrain train;
    train.to = to;
    train.length = sizeof head;
    train.payload = payloads_.take();
    store_le(payloads_.data(train.payload), head);
    train.last_use = true;
    train.ready = {at, at};
    train.use = TlpUse::head;
    dma->write(train, nullptr);
}

void CompletionEngine::arm(const CqArm& arm) {
    rings_.polled(arm.cq, arm.consumer, now());
    interrupts_.arm(arm);
}

bool CompletionEngine::resize_cq(const CqResize& resize) {
    const CqNum cq = resize.cq;
    rings_.polled(cq, resize.consumer, now());
    const std::size_t not_in_the_ring = overrun_.held_back(cq) + queues_.at(raw(cq)).late;
    if (overrun_.has_overrun(cq) || rings_.unpolled(cq) + not_in_the_ring > resize.limit) {
        return false;
    }
    ++resizes_;
    // The old ring has a place for this entry; software moves to the new ring when it reaches the entry.
    writer_.put_moved(cq);
    rings_.move(resize);
    overrun_.let_in(cq);
    return true;
}

void CompletionEngine::check_idle() const {
    for (std::uint32_t i = 0; i < queues_.size(); ++i) {
        const CqNum cq{i};
        if (queues_[i].present && (overrun_.is_asking(cq) || overrun_.held_back(cq) > 0 || writer_.is_gathering(cq))) {
            throw InvariantError(name(), now(), "entries are still held back at the end");
        }
    }
}

void CompletionEngine::report(StatSink& sink) const {
    sink.add("cqes", cqes_, StatUnit::count, "completions put into completion queues");
    sink.add("entry_writes", writer_.entry_writes(), StatUnit::count,
             "writes of completion entries; fewer than completions if entries are compressed");
    sink.add("gathered", writer_.gathered(), StatUnit::count,
             "completions that waited for others to share their entry");
    sink.add("errors", errors_, StatUnit::count, "entries that report a failure");
    sink.add("arms", interrupts_.arms(), StatUnit::count, "times that software asked to be notified");
    sink.add("interrupts", interrupts_.interrupts(), StatUnit::count, "interrupt messages sent");
    sink.add("moderations", interrupts_.moderations(), StatUnit::count, "times that interrupt moderation was set");
    sink.add("moderated", interrupts_.moderated(), StatUnit::count, "entries that came while an interrupt waited");
    sink.add("overruns", overrun_.overruns(), StatUnit::count, "completion queues that overran");
    sink.add("resizes", resizes_, StatUnit::count, "completion queues that were given another ring");
    sink.add("questions", overrun_.questions(), StatUnit::count,
             "times that a queue seemed full and the host's index was read");
    sink.add("heads", heads_, StatUnit::count, "times that software was told how far a send queue is retired");
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/cq/engine.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "models/ports/cq_watch.hpp"
#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"
#include "sim/base/little_endian.hpp"

namespace ndsim {

namespace {

enum State : std::size_t { kIdle, kBusy, kEntries };
constexpr std::array kStates{EngineState{EngineState::kIdle, ""},
                             EngineState{EngineState::kBusy, "time with entries that are not yet on PCIe"},
                             EngineState{"entries", "time with only entries whose queue seems full"}};

}  // namespace

CompletionEngine::CompletionEngine(const sc_core::sc_module_name& name, Timeline& timeline, const QueueParams& params,
                                   HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      late_(*this, timeline, kRankTransport),
      alarm_(*this, timeline, kRankTransport),
      gathering_alarm_(*this, timeline, kRankTransport),
      answers_(*this, timeline, kRankTransport),
      times_(*this, {}, kStates) {
    completions.bind(*this);
    doorbells.bind(*this);
    lifecycle.bind(*this);
}

void CompletionEngine::create_cq(const CqAttributes& attributes) {
    if (queues_.size() <= raw(attributes.cq)) {
        queues_.resize(raw(attributes.cq) + 1);
    }
    Queue& queue = queues_[raw(attributes.cq)];
    stop_asking(queue);
    const std::uint32_t life = queue.life + 1;
    queue = {};
    queue.life = life;
    queue.attributes = attributes;
    queue.present = true;
}

namespace {

bool has_invalidated(const Cqe& cqe) {
    return cqe.opcode == WqeOpcode::receive && cqe.status == WcStatus::success && cqe.token != 0 && !cqe.invalidation;
}

// What a receive whose message has invalidated a key is made of. It is the receive that may be solicited (R48).
Cqe invalidation_of(Cqe cqe) {
    cqe.invalidation = true;
    cqe.solicited = false;
    cqe.bytes = 0;
    return cqe;
}
Cqe receive_of(Cqe cqe) {
    cqe.token = 0;
    return cqe;
}

}  // namespace

void CompletionEngine::destroy_cq(CqNum cq) {
    Queue& queue = queues_.at(raw(cq));
    queue.present = false;
    queue.held_back.clear();
    forget_gathered(queue);
    wait_no_longer(cq);
}

// A key that dies takes time. The link is not kept free meanwhile for the entry that says so; only its queue waits.
void CompletionEngine::complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) {
    Queue& queue = queues_.at(raw(cq));
    if (!queue.present || queue.overrun) {
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
    Queue& queue = queues_.at(raw(late.cq));
    if (late.life != queue.life) {
        return;
    }
    --queue.late;
    if (queue.present && !queue.overrun) {
        accept(late.cq, late.entry);
    }
}

void CompletionEngine::accept(CqNum cq, const HeldBack& entry) {
    Queue& queue = queues_.at(raw(cq));
    const auto& [cqe, at, behind_payload] = entry;
    if (queue.attributes.reports_invalidations && has_invalidated(cqe)) {
        accept(cq, {invalidation_of(cqe), at, behind_payload});
        accept(cq, {receive_of(cqe), at, behind_payload});
        return;
    }
    if (queue.asking || queue.unconsumed() >= queue.attributes.limit) {
        queue.held_back.push(entry);
        if (!std::exchange(queue.asking, true)) {
            ++asking_;
            note();
            ask(cq);
        }
        return;
    }
    enter(queue, cqe, at, behind_payload);
}

// The NIC knows late what was polled. Before it calls a queue full it looks at the driver's own consumer index.
void CompletionEngine::ask(CqNum cq) {
    Queue& queue = queues_[raw(cq)];
    if (!queue.present) {
        stop_asking(queue);
        return;
    }
    const ReadPiece piece{queue.attributes.record, sizeof queue.asked, queue.asked.data()};
    if (!dma->try_read(ReadClass::wqe, {&piece, 1}, raw(cq), RequestId{}, *this)) {
        refused_.push_back(cq);
        return;
    }
    ++questions_;
}

void CompletionEngine::read_space(ReadClass) {
    for (const CqNum cq : std::exchange(refused_, {})) {
        ask(cq);
    }
}

void CompletionEngine::read_arrives(std::uint32_t cq, Interval data) {
    answers_.push(std::max(now(), data.end), CqNum{cq});
}

void CompletionEngine::answered(const CqNum& cq) {
    Queue& queue = queues_[raw(cq)];
    stop_asking(queue);
    if (!queue.present) {
        return;
    }
    polled(queue, load_le<std::uint32_t>(queue.asked.data()));
    if (queue.unconsumed() >= queue.attributes.limit && !queue.held_back.empty()) {
        queue.held_back.clear();
        overrun(queue);
        return;
    }
    let_in(queue);
    if (!queue.held_back.empty()) {  // these came while it asked: there may have been polls since
        queue.asking = true;
        ++asking_;
        note();
        ask(cq);
    }
}

void CompletionEngine::stop_asking(Queue& queue) {
    asking_ -= std::exchange(queue.asking, false) ? 1 : 0;
    note();
}

void CompletionEngine::note() {
    if (written_.size() > free_written_.size()) {
        times_.enter(kBusy, now());
    } else {
        times_.enter(asking_ > 0 ? kEntries : kIdle, std::max(now(), issued_until_));
    }
}

void CompletionEngine::let_in(Queue& queue) {
    while (!queue.held_back.empty() && queue.unconsumed() < queue.attributes.limit) {
        const HeldBack first = queue.held_back.pop();
        enter(queue, first.cqe, std::max(first.at, now()), first.behind_payload);
    }
}

void CompletionEngine::enter(Queue& queue, const Cqe& cqe, Picoseconds at, bool behind_payload) {
    ++cqes_;
    errors_ += cqe.status == WcStatus::success ? 0 : 1;
    request_.set(cqe.request, at);
    Cqe stamped = cqe;
    stamped.written = at;
    // Entries of one queue stay in order: behind one that follows payload, all do.
    const bool bulk = behind_payload || queue.bulk_under_way > 0;
    put(queue, stamped, at, bulk);
    note(queue, cqe, at, bulk);
    if (queue.met) {
        ++moderated_;
        if (has_gathered(queue)) {
            interrupt(queue, at);
        }
    } else if (meets(queue, cqe)) {
        queue.met = MetArm{queue.produced - 1, at};
        notify_or_wait(queue, at);
    }
}

void CompletionEngine::overrun(Queue& queue) {
    queue.overrun = true;
    ++overruns_;
    write_gathered(queue);
    // Software hears of it by an event, which no moderation delays [K95].
    wait_no_longer(queue.attributes.cq);
    faults->cq_failed(queue.attributes.cq);
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
    if (queue.overrun || queue.unconsumed() + queue.held_back.size() + queue.late > resize.limit) {
        return false;
    }
    ++resizes_;
    // The old ring has a place for this; software goes on in the new one when it gets here.
    Cqe moved;
    moved.moved = true;
    write_gathered(queue);
    write_entry(begin_entry(queue, moved, now(), queue.bulk_under_way > 0), nullptr, 0);
    queue.attributes.ring = resize.ring;
    queue.attributes.entries = resize.entries;
    queue.attributes.limit = resize.limit;
    queue.base = static_cast<std::uint32_t>(queue.produced);
    let_in(queue);
    return true;
}

void CompletionEngine::check_idle() const {
    for (const Queue& queue : queues_) {
        if (queue.present && (queue.asking || !queue.held_back.empty() || queue.gathered)) {
            throw InvariantError(name(), now(), "entries are still held back at the end");
        }
    }
}

void CompletionEngine::report(StatSink& sink) const {
    sink.add("cqes", cqes_, StatUnit::count, "completions put into completion queues");
    sink.add("entry_writes", entry_writes_, StatUnit::count, "writes that they took, fewer if entries are compressed");
    sink.add("gathered", gathered_, StatUnit::count, "completions that waited for others to share their entry");
    sink.add("errors", errors_, StatUnit::count, "entries that report a failure");
    sink.add("arms", arms_, StatUnit::count, "times that software asked to be notified");
    sink.add("interrupts", interrupts_, StatUnit::count, "interrupt messages sent");
    sink.add("moderations", moderations_, StatUnit::count, "times that moderation was set");
    sink.add("moderated", moderated_, StatUnit::count, "entries that came while an interrupt waited");
    sink.add("overruns", overruns_, StatUnit::count, "completion queues that overran");
    sink.add("resizes", resizes_, StatUnit::count, "completion queues that got another ring");
    sink.add("questions", questions_, StatUnit::count, "times that a queue seemed full and the host's index was read");
    sink.add("heads", heads_, StatUnit::count, "times that software was told how far a send queue is retired");
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/receive_queues.hpp"

#include <array>
#include <utility>

#include "models/parts/qp_watch.hpp"
#include "models/parts/srq_watch.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

// In the order of WqeFetcher::State.
constexpr std::array kReceiveQueueStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with a read of receive WQEs under way"},
    EngineState{"tags", "time with a read of receive WQEs that the DMA engine did not accept"}};

}  // namespace

ReceiveQueues::ReceiveQueues(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params,
                             HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      times_(*this, {}, kReceiveQueueStates),
      rings_(timeline, params, host, ledgers, payloads, *this, dma, times_) {
    doorbells.bind(*this);
    receives.bind(*this);
    lifecycle.bind(*this);
    shared.bind(*this);
}

std::uint32_t ReceiveQueues::add_queue(std::uint32_t stride, Address ring, std::uint32_t entries,
                                       const ReceiveRings::Watches& watches) {
    const std::uint32_t index = rings_.create(stride, ring, entries, watches);
    grown(queues_, index) = {};
    return index;
}

void ReceiveQueues::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    Taker& taker = grown(takers_, index);
    taker = {attributes.receive_cq, 0, attributes.srq.has_value(), true, false};
    if (taker.shares) {
        taker.queue = shared_.at(raw(*attributes.srq));
        return;
    }
    ReceiveRings::Watches watches{nullptr, nullptr, attributes.on_receives};
    if (attributes.watch != nullptr) {
        watches.ready = &attributes.watch->rq_ready;
        watches.fetched = &attributes.watch->rq_fetched;
    }
    taker.queue = add_queue(attributes.rq_stride, attributes.rq_ring, attributes.rq_entries, watches);
    if (params_.rq_doorbell == RqDoorbell::record) {
        queues_[taker.queue].recorded = attributes.qp;
    }
}

// Receives posted before are fetched before the first message comes.
void ReceiveQueues::connect_qp(QpNum qp, const QpConnection&) {
    ask(taker_of(qp).queue);
}

void ReceiveQueues::create_srq(const SrqAttributes& attributes) {
    const std::uint32_t number = raw(attributes.srq);
    const auto watches = attributes.watch == nullptr ? ReceiveRings::Watches{}
                                                     : ReceiveRings::Watches{&attributes.watch->srq_ready,
                                                                             &attributes.watch->srq_fetched, nullptr};
    grown(shared_, number) = add_queue(attributes.stride, attributes.ring, attributes.entries, watches);
    ReceiveQueue& queue = queues_[shared_[number]];
    queue.srq = attributes.srq;
    queue.record = attributes.record;
    queue.limit.create(attributes.limit);
}

// Reads under way still take from the old ring; later receives have the same index in the new one.
void ReceiveQueues::modify_srq(const ModifySrq& change) {
    const std::uint32_t index = shared_.at(raw(change.srq));
    ReceiveQueue& queue = queues_[index];
    if (change.entries != 0) {
        rings_.move(index, change.ring, change.entries);
    }
    srq_doorbell(change.srq, change.producer);
    if (change.limit != 0 && queue.limit.arm(change.limit, rings_.left(index))) {
        tell_limit(queue);
    }
}

void ReceiveQueues::rq_doorbell(QpNum qp, std::uint32_t producer) {
    const Taker& taker = taker_of(qp);
    rings_.announce(taker.queue, producer);
    if (taker.failed) {
        flush(qp);
    } else {
        answered(taker.queue);
    }
}

// False if no record tells whether more is posted; otherwise its answer follows.
bool ReceiveQueues::ask(std::uint32_t index) {
    ReceiveQueue& queue = queues_[index];
    if (!queue.recorded || !rings_.is_open(index)) {
        return false;
    }
    if (!std::exchange(queue.asked, true)) {
        ++record_reads_;
        records->read_receive_record(*queue.recorded);
    }
    return true;
}

// A message that came after the read began is owed another read: its receive may have been posted meanwhile.
void ReceiveQueues::answered(std::uint32_t index) {
    ReceiveQueue& queue = queues_[index];
    if (!std::exchange(queue.asked, false)) {
        return;
    }
    if (std::exchange(queue.asked_since, false) && rings_.left(index) == 0) {
        ask(index);
    } else if (!queue.waiting.empty() && rings_.left(index) == 0) {
        wake_first(queue);
    }
}

void ReceiveQueues::srq_doorbell(SrqNum srq, std::uint32_t producer) {
    rings_.announce(shared_.at(raw(srq)), producer);
}

void ReceiveQueues::arrived(std::uint32_t index, std::span<const std::byte> units) {
    if (!rings_.is_open(index)) {
        return;
    }
    rings_.arrived(index, units);
    ReceiveQueue& queue = queues_[index];
    while (!queue.waiting.empty() && rings_.ready(index) > 0) {
        wake_first(queue);
    }
}

// The first message asks again; a message that follows it then waits behind those that asked before.
void ReceiveQueues::wake_first(ReceiveQueue& queue) {
    queue.turn = queue.waiting.pop();
    responder->receive_ready(*queue.turn);
    queue.turn.reset();
}

ReceiveTake ReceiveQueues::take(QpNum qp, Wqe& into) {
    const std::uint32_t index = taker_of(qp).queue;
    ReceiveQueue& queue = queues_[index];
    // Receives that earlier messages wait for are not available to this one.
    const bool has_waited = queue.turn == qp;
    const std::size_t spoken_for = has_waited ? 0 : queue.waiting.size();
    queue.turn.reset();
    if (rings_.left(index) <= spoken_for) {
        const bool asked = queue.asked;
        if (has_waited || !ask(index)) {
            ++none_posted_;
            return ReceiveTake::none_posted;
        }
        queue.asked_since = asked;
        ++misses_;
        queue.waiting.push(qp);
        return ReceiveTake::under_way;
    }
    if (rings_.ready(index) <= spoken_for) {
        ++misses_;
        queue.waiting.push(qp);
        return ReceiveTake::under_way;
    }
    rings_.take(index, into);
    ++taken_;
    if (queue.limit.fall_to(rings_.left(index))) {
        tell_limit(queue);
    }
    if (rings_.left(index) < params_.rq_prefetch) {
        ask(index);
    }
    rings_.fetch(index);
    return ReceiveTake::taken;
}

std::uint32_t ReceiveQueues::posted(QpNum qp) const {
    return rings_.left(takers_.at(qp_index(qp)).queue);
}

void ReceiveQueues::tell_limit(const ReceiveQueue& queue) {
    ++limits_reached_;
    limits->srq_limit_reached(queue.srq);
}

void ReceiveQueues::fail_qp(QpNum qp) {
    Taker& taker = taker_of(qp);
    if (taker.failed || !taker.present) {
        return;
    }
    taker.failed = true;
    if (!taker.shares) {
        rings_.close(taker.queue);
        flush(qp);
    }
    wake_failed(queues_[taker.queue], qp);
}

void ReceiveQueues::flush_deferred(QpNum qp, std::uint32_t, std::uint32_t, std::uint32_t producer) {
    if (!taker_of(qp).shares && producer != 0) {
        rq_doorbell(qp, producer);
    }
}

// Receives of a shared queue are not the queue pair's, and stay [K197].
void ReceiveQueues::flush(QpNum qp) {
    const Taker& taker = taker_of(qp);
    rings_.begin_flush(taker.queue);
    while (const auto receive = rings_.flush_next(taker.queue)) {
        Cqe cqe;
        cqe.qp = qp;
        cqe.wqe_index = receive->number;
        cqe.opcode = WqeOpcode::receive;
        cqe.status = WcStatus::wr_flush;
        if (receive->request) {
            cqe.request = *receive->request;
            ledgers_.mark({host_, cqe.request}, Account::message, now());
        }
        completions->complete(taker.cq, cqe, now(), true);
    }
}

bool ReceiveQueues::is_quiet(QpNum qp) const {
    const Taker& taker = takers_.at(qp_index(qp));
    // Receives in a shared queue, and reads from it, are not the queue pair's.
    return taker.shares || (rings_.left(taker.queue) == 0 && !rings_.is_reading(taker.queue));
}

void ReceiveQueues::destroy_qp(QpNum qp) {
    Taker& taker = taker_of(qp);
    taker.present = false;
    if (!taker.shares) {
        rings_.close(taker.queue);
    }
    wake_failed(queues_[taker.queue], qp);
    if (!taker.shares) {
        rings_.release(taker.queue);
    }
}

void ReceiveQueues::wake_failed(ReceiveQueue& queue, QpNum qp) {
    bool waited = false;
    for (std::size_t n = queue.waiting.size(); n > 0; --n) {
        const QpNum each = queue.waiting.pop();
        if (each == qp) {
            waited = true;
        } else {
            queue.waiting.push(each);
        }
    }
    if (waited) {
        responder->receive_ready(qp);
    }
}

// No queue pair takes from it any more. Receives still posted belong to none.
void ReceiveQueues::destroy_srq(SrqNum srq) {
    const std::uint32_t index = shared_.at(raw(srq));
    queues_[index].record.reset();
    queues_[index].limit.destroy();
    rings_.close(index);
    rings_.begin_flush(index);
    while (rings_.flush_next(index)) {
    }
    rings_.release(index);
}

void ReceiveQueues::report(StatSink& sink) const {
    sink.add("fetches", rings_.reads(), StatUnit::count, "reads of receive WQEs");
    sink.add("taken", taken_, StatUnit::count, "receives used by messages");
    sink.add("misses", misses_, StatUnit::count, "messages whose receive was posted but not yet fetched");
    sink.add("none_posted", none_posted_, StatUnit::count, "messages that found no receive posted");
    sink.add("record_reads", record_reads_, StatUnit::count, "reads of doorbell records, for more receives");
    sink.add("srq_limits", limits_reached_, StatUnit::count,
             "events of shared receive queues that fell below their limit");
}

}  // namespace ndsim

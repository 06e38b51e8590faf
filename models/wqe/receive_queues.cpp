// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/receive_queues.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "models/ports/qp_watch.hpp"
#include "models/ports/srq_watch.hpp"

namespace ndsim {

namespace {

// In the order of RingReader::State.
constexpr std::array kReceiveQueueStates{EngineState{EngineState::kIdle, ""},
                                         EngineState{EngineState::kBusy, "time with a read of receive WQEs under way"},
                                         EngineState{"tags", "time with a read of receive WQEs that DMA did not take"}};

}  // namespace

ReceiveQueues::ReceiveQueues(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params,
                             HostId host, Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      times_(*this, {}, kReceiveQueueStates),
      reader_(timeline, *this, dma, ReadClass::receive_wqe, payloads, &times_) {
    doorbells.bind(*this);
    receives.bind(*this);
    lifecycle.bind(*this);
    shared.bind(*this);
}

std::uint32_t ReceiveQueues::add_queue(std::uint32_t stride, Address ring, std::uint32_t entries) {
    const std::uint32_t index = numbers_.take();
    while (queues_.size() <= index) {
        queues_.emplace_back();
    }
    ReceiveQueue& queue = queues_[index];
    queue = {};
    queue.stride = stride;
    queue.open = true;
    reader_.create(index, ring, entries * stride);
    return index;
}

void ReceiveQueues::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    if (takers_.size() <= index) {
        takers_.resize(index + 1);
    }
    Taker& taker = takers_[index];
    taker = {};
    taker.cq = attributes.receive_cq;
    taker.shares = attributes.srq.has_value();
    taker.present = true;
    if (taker.shares) {
        taker.queue = shared_.at(raw(*attributes.srq));
        return;
    }
    taker.queue = add_queue(attributes.rq_stride, attributes.rq_ring, attributes.rq_entries);
    if (attributes.watch != nullptr) {
        queues_[taker.queue].watch = &attributes.watch->rq_ready;
        queues_[taker.queue].watch_fetched = &attributes.watch->rq_fetched;
    }
    if (params_.rq_doorbell == RqDoorbell::record) {
        queues_[taker.queue].recorded = attributes.qp;
    }
}

// What was posted before is fetched before the first message comes.
void ReceiveQueues::connect_qp(QpNum qp, const QpConnection&) {
    ask(queues_[taker_of(qp).queue]);
}

void ReceiveQueues::create_srq(const SrqAttributes& attributes) {
    const std::uint32_t number = raw(attributes.srq);
    if (shared_.size() <= number) {
        shared_.resize(number + 1);
    }
    shared_[number] = add_queue(attributes.stride, attributes.ring, attributes.entries);
    ReceiveQueue& queue = queues_[shared_[number]];
    if (attributes.watch != nullptr) {
        queue.watch = &attributes.watch->srq_ready;
        queue.watch_fetched = &attributes.watch->srq_fetched;
    }
    queue.srq = attributes.srq;
    queue.record = attributes.record;
    queue.limit = attributes.limit;
}

// What is being read from the ring before still comes from there; the rest has the same index in the new one.
void ReceiveQueues::modify_srq(const ModifySrq& change) {
    const std::uint32_t index = shared_.at(raw(change.srq));
    ReceiveQueue& queue = queues_[index];
    if (change.entries != 0) {
        reader_.move(index, change.ring, change.entries * queue.stride);
    }
    srq_doorbell(change.srq, change.producer);
    if (change.limit != 0) {
        queue.limit = change.limit;
        if (queue.left() < queue.limit) {
            reach_limit(queue);
        }
    }
}

void ReceiveQueues::rq_doorbell(QpNum qp, std::uint32_t producer) {
    announce(taker_of(qp).queue, producer);
    if (taker_of(qp).failed) {
        flush(qp);
    } else {
        answered(queues_[taker_of(qp).queue]);
    }
}

// Whether more may be posted than the NIC knows of: then the record says it, in a moment.
bool ReceiveQueues::ask(ReceiveQueue& queue) {
    if (!queue.recorded || !queue.open) {
        return false;
    }
    if (!std::exchange(queue.asked, true)) {
        ++record_reads_;
        records->read_receive_record(*queue.recorded);
    }
    return true;
}

// A message that came behind the beginning of the read is owed another one: its receive may have been posted meanwhile.
void ReceiveQueues::answered(ReceiveQueue& queue) {
    if (!std::exchange(queue.asked, false)) {
        return;
    }
    if (std::exchange(queue.asked_since, false) && queue.left() == 0) {
        ask(queue);
    } else if (!queue.waiting.empty() && queue.left() == 0) {
        queue.turn = queue.waiting.pop();
        responder->receive_ready(*queue.turn);
        queue.turn.reset();
    }
}

void ReceiveQueues::srq_doorbell(SrqNum srq, std::uint32_t producer) {
    announce(shared_.at(raw(srq)), producer);
}

void ReceiveQueues::announce(std::uint32_t index, std::uint32_t producer) {
    ReceiveQueue& queue = queues_[index];
    // A command may have told as much already, or a doorbell of another core that was faster.
    if (static_cast<std::int32_t>(producer - queue.producer) <= 0) {
        return;
    }
    if (queue.watch != nullptr) {
        queue.watch->take(producer - queue.producer, now());
    }
    queue.producer = producer;
    reader_.announce(index, producer * queue.stride);
    reader_.fetch(index);
}

std::uint32_t ReceiveQueues::wanted(std::uint32_t index, std::uint32_t there) {
    const ReceiveQueue& queue = queues_[index];
    if (!queue.open) {
        return 0;
    }
    const std::uint32_t ahead = queue.fetched - queue.consumed;
    // Half of what may be ahead, so that one half is under way while messages take the other.
    const std::uint32_t batch =
        std::clamp(params_.rq_fetch_batch / queue.stride, 1U, std::max(1U, params_.rq_prefetch / 2));
    const std::uint32_t room = params_.rq_prefetch > ahead ? params_.rq_prefetch - ahead : 0;
    const std::uint32_t wanted = std::min(there / queue.stride, batch);
    // A small top-up waits until it fits whole, unless nothing at all is left, and behind another read until it is a
    // batch.
    if ((room < wanted && ahead > 0) || (wanted < batch && reader_.reading(index))) {
        return 0;
    }
    return std::min(wanted, room) * queue.stride;
}

void ReceiveQueues::reading(std::uint32_t index, std::uint32_t units) {
    ReceiveQueue& queue = queues_[index];
    queue.fetched += units / queue.stride;
    if (queue.watch_fetched != nullptr) {
        queue.watch_fetched->take(units / queue.stride, now());
    }
}

void ReceiveQueues::arrived(std::uint32_t index, std::span<const std::byte> units) {
    ReceiveQueue& queue = queues_[index];
    if (!queue.open) {
        return;
    }
    const std::size_t entry = std::size_t{queue.stride} * kWqeUnit;
    for (; !units.empty(); units = units.subspan(entry)) {
        Wqe* const wqe = wqes_.take();
        decode_wqe(units.first(entry), *wqe);
        queue.ready.push(wqe);
        queue.accepted += queue.stride;
        const RequestId request{host_, wqe->header.request};
        ledgers_.mark(request, Account::doorbell, reader_.announced(index, queue.accepted));
        ledgers_.mark(request, Account::message, reader_.begun(index));  // until then it was not among the next ones
        ledgers_.mark(request, Account::wqe_fetch, now());
    }
    reader_.fetch(index);
    wake(queue);
}

// Each asks again; a message that follows it then waits behind those that have asked before.
void ReceiveQueues::wake(ReceiveQueue& queue) {
    while (!queue.waiting.empty() && !queue.ready.empty()) {
        queue.turn = queue.waiting.pop();
        responder->receive_ready(*queue.turn);
        queue.turn.reset();
    }
}

ReceiveTake ReceiveQueues::take(QpNum qp, Wqe& into) {
    const std::uint32_t index = taker_of(qp).queue;
    ReceiveQueue& queue = queues_[index];
    // What messages that have asked before are to get is not there for this one.
    const bool has_waited = queue.turn == qp;
    const std::size_t spoken_for = has_waited ? 0 : queue.waiting.size();
    queue.turn.reset();
    if (queue.left() <= spoken_for) {
        const bool asked = queue.asked;
        if (has_waited || !ask(queue)) {
            ++none_posted_;
            return ReceiveTake::none_posted;
        }
        queue.asked_since = asked;
        ++misses_;
        queue.waiting.push(qp);
        return ReceiveTake::under_way;
    }
    if (queue.ready.size() <= spoken_for) {
        ++misses_;
        queue.waiting.push(qp);
        return ReceiveTake::under_way;
    }
    Wqe* const wqe = queue.ready.pop();
    std::swap(into, *wqe);
    wqes_.give(wqe);
    ++queue.consumed;
    if (queue.watch != nullptr) {
        queue.watch->give(1, now());
        queue.watch_fetched->give(1, now());
    }
    ++taken_;
    // The fall counts, not how many there are: a new queue is below its limit until it has been filled [K194, K195].
    if (queue.limit != 0 && queue.left() + 1 == queue.limit) {
        reach_limit(queue);
    }
    if (queue.left() < params_.rq_prefetch) {
        ask(queue);
    }
    reader_.fetch(index);
    return ReceiveTake::taken;
}

std::uint32_t ReceiveQueues::posted(QpNum qp) const {
    return queues_[takers_.at(qp_index(qp)).queue].left();
}

// One event, then none until the limit is armed again [X59].
void ReceiveQueues::reach_limit(ReceiveQueue& queue) {
    queue.limit = 0;
    ++limits_reached_;
    limits->srq_limit_reached(queue.srq);
}

void ReceiveQueues::report(StatSink& sink) const {
    sink.add("fetches", reader_.reads(), StatUnit::count, "reads of receive WQEs");
    sink.add("taken", taken_, StatUnit::count, "receives used by messages");
    sink.add("misses", misses_, StatUnit::count, "messages whose receive was posted but not yet fetched");
    sink.add("none_posted", none_posted_, StatUnit::count, "messages that found no receive posted");
    sink.add("record_reads", record_reads_, StatUnit::count, "reads of doorbell records, for more receives");
    sink.add("srq_limits", limits_reached_, StatUnit::count, "events of shared queues that fell below their limit");
}

}  // namespace ndsim

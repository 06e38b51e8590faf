// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/engine.hpp"

#include <algorithm>
#include <utility>

#include "models/ports/qp_watch.hpp"
#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

WqeEngine::WqeEngine(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params, HostId host,
                     Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      payloads_(payloads),
      nic_rate_(ExactRate::per_item(params.global_rate)),
      reader_(timeline, *this, dma, ReadClass::wqe, payloads),
      paced_(*this, timeline, kRankWqe),
      looks_(*this, timeline, kRankWqe),
      cache_(*this, kCachePool, params.wqe_cache),
      in_flight_(*this, kInFlightPool, params.sq_in_flight),
      times_(*this, {}, states()) {
    doorbells.bind(*this);
    work.bind(*this);
    room.bind(*this);
    lifecycle.bind(*this);
}

void WqeEngine::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    while (queues_.size() <= index) {
        queues_.push_back(SendQueue(ExactRate::per_item(params_.per_qp_rate)));
    }
    SendQueue& queue = queues_[index];
    queue = SendQueue(ExactRate::per_item(params_.per_qp_rate));
    queue.qp = attributes.qp;
    reader_.create(index, attributes.sq_ring, attributes.sq_units);
    queue.watch = attributes.watch;
    queue.record = attributes.record;
    queue.state = State::idle;
}

void WqeEngine::connect_qp(QpNum qp, const QpConnection&) {
    SendQueue& queue = queue_of(qp);
    if (queue.state == State::idle) {
        queue.state = State::connected;
    }
}

void WqeEngine::enqueue(SendQueue& queue) {
    // A message rate does not concern what needs no WQE.
    if (!queue.has_turn && queue.held == Stall::none && (!queue.paced || queue.repeats) && queue.has_work()) {
        queue.has_turn = true;
        turns_.push(qp_index(queue.qp));
    }
}

void WqeEngine::resume() {
    serve();
}

void WqeEngine::tx_room() {
    serve();
}

void WqeEngine::hold(SendQueue& queue, Stall stall) {
    queue.held = stall;
    ++held_[static_cast<std::size_t>(stall)];
    ++held_in_all_;
}

void WqeEngine::let_go(SendQueue& queue) {
    if (queue.held != Stall::none) {
        --held_[static_cast<std::size_t>(std::exchange(queue.held, Stall::none))];
        --held_in_all_;
    }
}

void WqeEngine::resume_qp(QpNum qp) {
    SendQueue& queue = queue_of(qp);
    if (queue.held != Stall::none) {
        let_go(queue);
        enqueue(queue);
        serve();
    }
}

void WqeEngine::context_ready(QpNum qp) {
    reader_.fetch(qp_index(qp));
    if (SendQueue& queue = queue_of(qp); queue.held == Stall::context) {
        let_go(queue);
        enqueue(queue);
        serve();
    }
}

// Who then still waits, for something that comes later, asks for the next look.
void WqeEngine::look_at(std::optional<Picoseconds> when) {
    if (when && *when < looks_.due().value_or(Picoseconds::max())) {
        looks_.set(*when);
    }
}

void WqeEngine::look_again() {
    serve();
}

void WqeEngine::rate_allows(const std::uint32_t& index) {
    SendQueue& queue = queues_[index];
    queue.paced = false;
    enqueue(queue);
    serve();
}

void WqeEngine::serve() {
    Stall stall = Stall::none;
    while (true) {
        const bool may_start =
            !starters_.empty() && (in_flight_.available(now()) > 0 || queues_[starters_.front()].needs_no_slot());
        Ring<std::uint32_t>& turns = may_start ? starters_ : turns_;
        if (turns.empty()) {
            break;
        }
        const std::uint32_t index = turns.front();
        // A queue pair that has failed meanwhile has nothing left.
        stall = queues_[index].has_work() ? serve_one(queues_[index]) : Stall::none;
        if (stall == Stall::sq_in_flight) {
            // Who has a slot must go on, or no slot is ever given back.
            starters_.push(index);
            turns.pop();
            stall = Stall::none;
            continue;
        }
        if (stall != Stall::none) {
            break;  // nobody can go on
        }
        turns.pop();
        queues_[index].has_turn = false;
        enqueue(queues_[index]);
    }
    if (stall == Stall::none && !starters_.empty()) {
        stall = Stall::sq_in_flight;
        look_at(in_flight_.when_available(1, now()));
    }
    show(stall != Stall::none ? stall : own_stall());
}

// One packet of a queue pair. Returns what keeps every queue pair from going on; what keeps only this one is noted
// in it, and it loses its turn.
Stall WqeEngine::serve_one(SendQueue& queue) {
    if (!context->use(queue.qp, *this)) {
        queue.waited_for = Stall::context;
        hold(queue, Stall::context);
        return Stall::none;
    }
    if (queue.repeats) {
        return repeat(queue);
    }
    if (!queue.message_open) {
        if (queue.rate.free_at() > now()) {
            queue.paced = true;
            ++paced_messages_;
            queue.waited_for = Stall::qp_rate;
            paced_.push(queue.rate.free_at(), qp_index(queue.qp));
            return Stall::none;
        }
        if (const Stall stall = gate->may_begin(queue.qp, *queue.ready.front()); stall != Stall::none) {
            queue.waited_for = stall;
            hold(queue, stall);
            return Stall::none;
        }
        if (const Stall stall = start_message(queue); stall != Stall::none) {
            queue.waited_for = stall;
            return stall;
        }
    }
    const RequesterPort::Result result = requester->issue(queue.qp);
    switch (result.turn) {
        case RequesterPort::Turn::packet:
            break;
        case RequesterPort::Turn::message_done:
            finish_message(queue);
            break;
        case RequesterPort::Turn::blocked:
            return blocked(queue, result.stall);
    }
    return Stall::none;
}

// Returns the stall if it concerns every queue pair.
Stall WqeEngine::blocked(SendQueue& queue, Stall stall) {
    queue.waited_for = stall;
    if (!is_of_one_qp(stall)) {
        return stall;
    }
    hold(queue, stall);
    return Stall::none;
}

Stall WqeEngine::start_message(SendQueue& queue) {
    const Picoseconds at = now();
    Stall stall = Stall::none;
    std::optional<Picoseconds> when = at;
    if (in_flight_.available(at) == 0) {
        stall = Stall::sq_in_flight;
        when = in_flight_.when_available(1, at);
    } else if (nic_rate_.free_at() > at) {
        stall = Stall::nic_rate;
        when = nic_rate_.free_at();
    }
    if (stall != Stall::none) {
        look_at(when);
        return stall;
    }
    in_flight_.take(1, at);
    nic_rate_.reserve(at, 1);
    queue.rate.reserve(at, 1);
    queue.message_open = true;
    const Wqe& wqe = *queue.ready.front();
    ledgers_.mark({host_, wqe.header.request}, account_of(std::exchange(queue.waited_for, Stall::none)), at);
    request_.set(wqe.header.request, at);
    ++messages_;
    if (const std::uint32_t end = queue.front + wqe.header.units(); static_cast<std::int32_t>(end - queue.begun) > 0) {
        queue.begun = end;
    }
    if (const auto slot_free = requester->begin(queue.qp, wqe)) {
        message_built(*slot_free);
    }
    return Stall::none;
}

void WqeEngine::finish_message(SendQueue& queue) {
    queue.message_open = false;
    drop_front(queue);
    reader_.fetch(qp_index(queue.qp));
    reader_.retry();
}

void WqeEngine::message_built(Picoseconds when) {
    const bool was_full = in_flight_.available(now()) == 0;
    in_flight_.give_at(1, when);
    if (was_full && state_.get() == Stall::sq_in_flight) {
        look_at(std::max(when, now()));
    }
}

void WqeEngine::report(StatSink& sink) const {
    sink.add("messages", messages_, StatUnit::count, "requests started");
    sink.add("paced", paced_messages_, StatUnit::count, "requests that waited for their queue pair's message rate");
    sink.add("fetches", reader_.reads(), StatUnit::count, "reads of WQEs");
    sink.add("fetched_units", reader_.units_read(), StatUnit::count, "64-byte units of WQE fetched");
    sink.add("cut_fetches", cut_fetches_, StatUnit::count, "reads of WQEs that left posted ones behind");
    sink.add("pushed_taken", pushed_taken_, StatUnit::count, "pushed WQEs used");
    sink.add("pushed_dropped", pushed_dropped_, StatUnit::count,
             "pushed WQEs dropped, as others before them were not in the NIC, or there was no room");
}

void WqeEngine::check_idle() const {
    for (const SendQueue& queue : queues_) {
        if (queue.state == State::connected && (!queue.ready.empty() || !reader_.all_requested(qp_index(queue.qp)))) {
            throw InvariantError(name(), now(), "WQEs are still waiting at the end");
        }
    }
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/send_scheduler.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ranks.hpp"

namespace ndsim {

SendScheduler::SendScheduler(Unit& owner, Timeline& timeline, const WqeParams& params, HostId host, Ledgers& ledgers,
                             SendPrefetch& prefetch, ContextClient& context_client, const Ports& ports)
    : timeline_(timeline),
      host_(host),
      ledgers_(ledgers),
      prefetch_(prefetch),
      context_client_(context_client),
      ports_(ports),
      paced_(*this, timeline, kRankWqe),
      looks_(*this, timeline, kRankWqe),
      starts_(owner, params),
      times_(owner),
      request_(owner, "request", "request started last") {}

void SendScheduler::create(QpNum qp) {
    const std::uint32_t index = qp_index(qp);
    while (queues_.size() <= index) {
        queues_.emplace_back(starts_.qp_rate());
    }
    queues_[index] = SendQueue(starts_.qp_rate());
    queues_[index].qp = qp;
}

void SendScheduler::stop(std::uint32_t index) {
    SendQueue& queue = queues_[index];
    queue.connected = false;
    queue.repeats = false;
    if (queue.message_open) {
        // The requester has flushed it with the outstanding requests, and returned its slot.
        finish_message(queue);
    }
    turns_.let_go(queue.place);
    // It has also flushed the requests to be sent again.
    while (prefetch_.has_ready(index) && prefetch_.front_place(index) != queue.begun) {
        prefetch_.drop_front(index);
    }
    if (prefetch_.front_place(index) != queue.begun) {
        prefetch_.go_to(index, queue.begun);
    }
}

void SendScheduler::enqueue(SendQueue& queue) {
    // The message rate does not limit packets that need no WQE.
    if ((!queue.paced || queue.repeats) && has_work(queue)) {
        turns_.add(queue.place, qp_index(queue.qp));
    }
}

void SendScheduler::resume(std::uint32_t index) {
    if (turns_.let_go(queues_[index].place)) {
        enqueue(index);
        serve();
    }
}

void SendScheduler::context_ready(std::uint32_t index) {
    if (queues_[index].place.held == Stall::context) {
        resume(index);
    }
}

// A queue pair that still waits then, for something later, asks for the next look.
void SendScheduler::look_at(std::optional<Picoseconds> when) {
    if (when && *when < looks_.due().value_or(Picoseconds::max())) {
        looks_.set(*when);
    }
}

void SendScheduler::rate_allows(const std::uint32_t& index) {
    queues_[index].paced = false;
    enqueue(index);
    serve();
}

bool SendScheduler::starter_may_go() {
    return !turns_.starters().empty() &&
           (starts_.has_slot(now()) || queues_[turns_.starters().front()].needs_no_slot());
}

void SendScheduler::serve() {
    Stall stall = Stall::none;
    while (true) {
        SendTurns::Row& row = turns_.row(starter_may_go());
        if (row.empty()) {
            break;
        }
        SendQueue& queue = queues_[row.front()];
        // A queue pair that has failed meanwhile has nothing left.
        stall = has_work(queue) ? serve_one(queue) : Stall::none;
        if (stall == Stall::sq_in_flight) {
            // Queue pairs with a slot must go on, or no slot is ever returned.
            turns_.wait_for_slot(row);
            stall = Stall::none;
            continue;
        }
        if (stall != Stall::none) {
            break;  // no queue pair can go on
        }
        SendTurns::end(row, queue.place);
        enqueue(queue);
    }
    if (stall == Stall::none && !turns_.starters().empty()) {
        stall = Stall::sq_in_flight;
        look_at(starts_.until(stall, now()));
    }
    times_.show(stall != Stall::none ? stall : own_stall(), now(), starts_);
}

void SendScheduler::note_waits() {
    if (turns_.row(false).empty() && turns_.starters().empty()) {
        times_.show(own_stall(), now(), starts_);
    }
}

// No shared resource holds up a queue pair that has a WQE: either some lack room for a WQE, or the queue pairs wait for
// their own stalls. Their message rate comes last: it holds each for a known time, and counts only if nothing else
// holds any. If the NIC's rate holds them longer, it is what they wait for.
Stall SendScheduler::own_stall() const {
    if (prefetch_.starves()) {
        return Stall::wqe_cache;
    }
    if (turns_.any_held()) {
        return turns_.first_held();
    }
    if (prefetch_.any_awaits_context()) {
        return Stall::context;
    }
    if (!paced_.empty()) {
        return starts_.nic_free_at() > paced_.next_due() ? Stall::nic_rate : Stall::qp_rate;
    }
    return prefetch_.reads_anything() ? Stall::wqe_fetch : Stall::none;
}

// Sends one packet of a queue pair. Returns a stall that holds up every queue pair; a stall of this one alone is noted
// in it, and it loses its turn.
Stall SendScheduler::serve_one(SendQueue& queue) {
    const std::uint32_t index = qp_index(queue.qp);
    if (!ports_.context->use(queue.qp, context_client_)) {
        return blocked(queue, Stall::context);
    }
    if (queue.repeats) {
        return repeat(queue);
    }
    if (!queue.message_open) {
        // The rate comes last: it ends by itself.
        if (const Stall stall = ports_.gate->may_begin(queue.qp, prefetch_.front(index)); stall != Stall::none) {
            queue.waited_for = stall;
            turns_.hold(queue.place, stall);
            return Stall::none;
        }
        if (queue.rate.free_at() > now()) {
            queue.paced = true;
            ++paced_messages_;
            queue.waited_for = Stall::qp_rate;
            paced_.push(queue.rate.free_at(), index);
            return Stall::none;
        }
        if (const Stall stall = start_message(queue); stall != Stall::none) {
            queue.waited_for = stall;
            return stall;
        }
    }
    const RequesterPort::Result result = ports_.requester->issue(queue.qp);
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

// Sends one packet that the requester has kept. It needs neither a WQE nor a slot nor a message's turn.
Stall SendScheduler::repeat(SendQueue& queue) {
    const RequesterPort::Result result = ports_.requester->repeat(queue.qp);
    if (result.turn == RequesterPort::Turn::blocked) {
        return blocked(queue, result.stall);
    }
    queue.repeats = result.turn == RequesterPort::Turn::packet;
    return Stall::none;
}

// Returns the stall if it concerns every queue pair.
Stall SendScheduler::blocked(SendQueue& queue, Stall stall) {
    queue.waited_for = stall;
    if (!is_of_one_qp(stall)) {
        return stall;
    }
    turns_.hold(queue.place, stall);
    return Stall::none;
}

Stall SendScheduler::start_message(SendQueue& queue) {
    const std::uint32_t index = qp_index(queue.qp);
    const Picoseconds at = now();
    if (const Stall missing = starts_.missing(at); missing != Stall::none) {
        look_at(starts_.until(missing, at));
        return missing;
    }
    starts_.start(queue.rate, at);
    queue.message_open = true;
    const Wqe& wqe = prefetch_.front(index);
    ledgers_.mark({host_, wqe.header.request}, account_of(std::exchange(queue.waited_for, Stall::none)), at);
    request_.set({host_, wqe.header.request}, at);
    ++messages_;
    const std::uint32_t end = prefetch_.front_place(index) + wqe.header.units();
    if (static_cast<std::int32_t>(end - queue.begun) > 0) {
        queue.begun = end;
    }
    if (const auto slot_free = ports_.requester->begin(queue.qp, wqe)) {
        message_built(*slot_free);
    }
    return Stall::none;
}

// WQEs that are here have waited for the same as this message. Later ones have not.
void SendScheduler::finish_message(SendQueue& queue) {
    queue.message_open = false;
    prefetch_.finish_front(qp_index(queue.qp));
    if (!prefetch_.has_ready(qp_index(queue.qp))) {
        queue.waited_for = Stall::none;
    }
}

void SendScheduler::message_built(Picoseconds when) {
    const bool was_full = !starts_.has_slot(now());
    starts_.built(when);
    if (was_full && times_.stall() == Stall::sq_in_flight) {
        look_at(std::max(when, now()));
    }
}

// The message at the front, if it has not begun, is charged for what it has waited for: it will be fetched again.
void SendScheduler::leave_front(SendQueue& queue) {
    const std::uint32_t index = qp_index(queue.qp);
    if (prefetch_.has_ready(index) && prefetch_.front_place(index) == queue.begun) {
        const Account why = account_of(std::exchange(queue.waited_for, Stall::none));
        ledgers_.mark({host_, prefetch_.front(index).header.request}, why, now());
    }
}

// Packets that the requester has kept come first, then those that have to be fetched again.
void SendScheduler::rewind(std::uint32_t index, std::uint32_t place) {
    SendQueue& queue = queues_[index];
    const RequesterPort::Rewound rewound = ports_.requester->rewind(queue.qp);
    if (rewound.slot_free) {
        message_built(now());
    }
    queue.repeats = rewound.repeats;
    queue.message_open = false;
    turns_.let_go(queue.place);
    // If every sent packet has been kept, the next WQEs are those already here.
    if (!queue.repeats || place != prefetch_.front_place(index)) {
        leave_front(queue);
        prefetch_.go_to(index, place);
    }
    prefetch_.fetch(index);
    enqueue(queue);
    serve();
}

}  // namespace ndsim

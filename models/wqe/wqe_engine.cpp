// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/wqe_engine.hpp"

#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

WqeEngine::WqeEngine(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params, HostId host,
                     Ledgers& ledgers, PayloadPool& payloads)
    : Unit(name, timeline),
      payloads_(payloads),
      prefetch_(*this, timeline, params, host, ledgers, payloads, *this, dma),
      scheduler_(*this, timeline, params, host, ledgers, prefetch_, *this, {context, gate, requester}) {
    doorbells.bind(*this);
    work.bind(*this);
    room.bind(*this);
    lifecycle.bind(*this);
}

void WqeEngine::create_qp(const QpAttributes& attributes) {
    const std::uint32_t index = qp_index(attributes.qp);
    grown(queues_, index) = {attributes.qp, State::idle, attributes.record};
    prefetch_.create(attributes);
    scheduler_.create(attributes.qp);
}

void WqeEngine::connect_qp(QpNum qp, const QpConnection&) {
    if (queue_of(qp).state == State::idle) {
        queue_of(qp).state = State::connected;
        scheduler_.connect(qp_index(qp));
    }
}

void WqeEngine::sq_doorbell(const SqDoorbell& doorbell) {
    const State state = queue_of(doorbell.qp).state;
    const std::uint32_t index = qp_index(doorbell.qp);
    if (prefetch_.is_announced(index, doorbell.producer)) {  // a flush was faster
        if (doorbell.pushed != PayloadRef::none) {
            payloads_.give(doorbell.pushed);
        }
        return;
    }
    // A queue pair without its context cannot be scheduled; its WQEs are fetched once the context is there.
    const bool has_context = state == State::failed || context->use(doorbell.qp, *this);
    if (prefetch_.announce(doorbell, has_context)) {
        take_ready(index);
    }
    if (has_context) {
        prefetch_.fetch(index);
        scheduler_.serve();
    } else {
        prefetch_.wait_for_context(index);
        scheduler_.note_waits();
    }
}

void WqeEngine::arrived(std::uint32_t index, std::span<const std::byte> units) {
    prefetch_.take_units(index, units);
    take_ready(index);
    take_behind_read(index);
    prefetch_.fetch(index);
    scheduler_.serve();
}

void WqeEngine::discarded(std::uint32_t index, std::uint32_t units) {
    prefetch_.discarded(index, units);
    take_behind_read(index);
    scheduler_.serve();
}

void WqeEngine::take_behind_read(std::uint32_t index) {
    if (prefetch_.take_behind_read(index)) {
        take_ready(index);
    }
}

void WqeEngine::take_ready(std::uint32_t index) {
    if (queues_[index].state == State::failed) {
        flush_ready(index);
    } else {
        scheduler_.enqueue(index);
    }
}

void WqeEngine::context_ready(QpNum qp) {
    const std::uint32_t index = qp_index(qp);
    prefetch_.end_context_wait(index);
    prefetch_.fetch(index);
    scheduler_.context_ready(index);
    scheduler_.note_waits();
}

void WqeEngine::fail_qp(QpNum qp) {
    State& state = queue_of(qp).state;
    if (state == State::failed || state == State::absent) {
        return;
    }
    const std::uint32_t index = qp_index(qp);
    state = State::failed;
    scheduler_.stop(index);
    flush_ready(index);
    prefetch_.end_context_wait(index);
    prefetch_.fetch(index);
    scheduler_.serve();
}

void WqeEngine::flush_deferred(QpNum qp, std::uint32_t producer, std::uint32_t entries, std::uint32_t) {
    sq_doorbell({qp, producer, PayloadRef::none, 0, entries});
}

void WqeEngine::flush_ready(std::uint32_t index) {
    while (prefetch_.has_ready(index)) {
        requester->flush(queues_[index].qp, prefetch_.front(index));
        prefetch_.finish_front(index);
    }
}

bool WqeEngine::is_quiet(QpNum qp) const {
    const std::uint32_t index = qp_index(qp);
    return !scheduler_.has_open_message(index) && !prefetch_.has_ready(index) && prefetch_.all_requested(index) &&
           !prefetch_.is_reading(index);
}

void WqeEngine::destroy_qp(QpNum qp) {
    queue_of(qp).state = State::absent;
    queue_of(qp).record.reset();
    prefetch_.destroy(qp_index(qp));
    scheduler_.destroy(qp_index(qp));
}

void WqeEngine::report(StatSink& sink) const {
    sink.add("messages", scheduler_.messages(), StatUnit::count, "requests started");
    sink.add("paced", scheduler_.paced_messages(), StatUnit::count,
             "requests that waited for their queue pair's message rate");
    prefetch_.report(sink);
}

void WqeEngine::check_idle() const {
    for (const SendQueue& queue : queues_) {
        const std::uint32_t index = qp_index(queue.qp);
        if (queue.state == State::connected && (prefetch_.has_ready(index) || !prefetch_.all_requested(index))) {
            throw InvariantError(name(), now(), "WQEs are still waiting at the end");
        }
    }
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/engine.hpp"

// What becomes of a send queue whose queue pair has failed: everything in it is fetched, and flushed.
namespace ndsim {

void WqeEngine::fail_qp(QpNum qp) {
    SendQueue& queue = queue_of(qp);
    if (queue.state == State::failed || queue.state == State::absent) {
        return;
    }
    queue.state = State::failed;
    queue.repeats = false;
    if (queue.message_open) {
        // The requester has flushed it with what is outstanding, and gave its slot back.
        finish_message(queue);
    }
    let_go(queue);
    // So it did with what was to be sent again.
    while (!queue.ready.empty() && queue.front != queue.begun) {
        drop_front(queue);
    }
    if (queue.front != queue.begun) {
        go_to(queue, queue.begun);
    }
    flush_ready(queue);
    reader_.fetch(qp_index(qp));
    serve();
}

void WqeEngine::flush_deferred(QpNum qp, std::uint32_t producer, std::uint32_t entries, std::uint32_t) {
    sq_doorbell({qp, producer, PayloadRef::none, 0, entries});
}

void WqeEngine::flush_ready(SendQueue& queue) {
    while (!queue.ready.empty()) {
        requester->flush(queue.qp, *queue.ready.front());
        finish_message(queue);
    }
}

bool WqeEngine::is_quiet(QpNum qp) const {
    const std::uint32_t index = qp_index(qp);
    const SendQueue& queue = queues_.at(index);
    return !queue.message_open && queue.ready.empty() && reader_.all_requested(index) && !reader_.reading(index);
}

void WqeEngine::destroy_qp(QpNum qp) {
    queue_of(qp).state = State::absent;
    queue_of(qp).record.reset();
}

}  // namespace ndsim

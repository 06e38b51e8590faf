// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/engine.hpp"

// How a queue pair sends again: first what the requester has kept, then from WQEs, which are fetched again.
namespace ndsim {

void WqeEngine::rewind(QpNum qp, std::uint32_t place) {
    SendQueue& queue = queue_of(qp);
    const RequesterPort::Rewound rewound = requester->rewind(qp);
    if (rewound.slot_free) {
        message_built(now());
    }
    queue.repeats = rewound.repeats;
    queue.message_open = false;
    let_go(queue);
    // If everything that was sent has been kept, the WQEs that come next are those that are here.
    if (!queue.repeats || place != queue.front) {
        go_to(queue, place);
    }
    reader_.fetch(qp_index(qp));
    enqueue(queue);
    serve();
}

// One packet that needs no WQE, neither a slot nor a message's turn.
Stall WqeEngine::repeat(SendQueue& queue) {
    const RequesterPort::Result result = requester->repeat(queue.qp);
    if (result.turn == RequesterPort::Turn::blocked) {
        return blocked(queue, result.stall);
    }
    queue.repeats = result.turn == RequesterPort::Turn::packet;
    return Stall::none;
}

// Goes on with the WQE at `place`; what is held of others is given back.
void WqeEngine::go_to(SendQueue& queue, std::uint32_t place) {
    while (!queue.ready.empty()) {
        drop_front(queue);
    }
    const auto units = static_cast<std::uint32_t>((queue.partial.size() + queue.behind_read.size()) / kWqeUnit);
    queue.partial.clear();
    queue.behind_read.clear();
    queue.held_units -= units;
    cache_.give(units, now());
    queue.accepted = place;
    queue.front = place;
    reader_.rewind(qp_index(queue.qp), place);
}

void WqeEngine::discarded(std::uint32_t index, std::uint32_t units) {
    queues_[index].held_units -= units;
    cache_.give(units, now());
    take_behind_read(queues_[index]);
    serve();
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/posts.hpp"

#include <algorithm>

namespace ndsim::reference {

// What waits for a receive goes on in this epoch, maybe.
void Posts::begin() {
    touched_ = {};
    for (const Connection& connection : scene_.connections) {
        for (const Queue& sends : connection.sends) {
            std::for_each(sends.open.begin(), sends.open.end(),
                          [this](std::size_t r) { touch(scene_.requests.step_of(r)); });
        }
    }
}

bool Posts::post(std::size_t epoch, std::size_t index) {
    const Step& step = scene_.program.epochs[epoch][index];
    Connection& connection = scene_.connections[step.connection];
    const bool receive = step.what == What::receive;
    const bool shared = receive && has_srq(scene_.program, step);
    // After an overrun it depends on which completions were lost, what a queue still takes.
    if (!shared && (connection.sends[step.side].dead || connection.receives[step.side].dead)) {
        return false;
    }
    if (!touch(step)) {
        return false;
    }
    Queue& queue = shared    ? scene_.srqs[step.side].receives
                   : receive ? connection.receives[step.side]
                             : connection.sends[step.side];
    const Endpoint& end = scene_.endpoint(step.side, step.connection);
    const std::uint32_t depth = shared ? scene_.srqs[step.side].depth : receive ? end.rq_depth : end.sq_depth;
    Request request;
    request.epoch = epoch;
    request.step = index;
    request.side = step.side;
    request.connection = step.connection;
    request.receive = receive;
    request.shared = shared;
    request.takes_receive = step.is_send();
    request.silent = !receive && step.silent;
    request.label = "p" + std::to_string(++labels_[step.side]);
    const std::size_t number = scene_.requests.add(std::move(request));
    if (!receive && connection.state == State::ended) {
        scene_.requests.give(number, kRefused, "connection_invalid");  // [K154]
        ++refused_[step.side];
        return true;
    }
    if (queue.slots.size() >= depth) {
        scene_.requests.give(number, kRefused, "no_more_entries");  // [K28]
        ++refused_[step.side];
        queue.announced = queue.open.size();  // [K39, K40]
        return true;
    }
    scene_.srqs[step.side].late += shared && is_late(scene_.program, step) ? 1 : 0;
    queue.open.push_back(number);
    queue.slots.push_back(number);
    if (receive || !step.defer) {
        queue.announced = queue.open.size();
    }
    return true;
}

// Only where the next completion of the queue is known: the queue is the send queue's own, the oldest request that
// holds a slot is announced and not silent, and nothing waits for a shared receive.
bool Posts::poll(const Step& step) {
    Connection& connection = scene_.connections[step.connection];
    Queue& queue = connection.sends[step.side];
    const std::string name = cq_name(scene_.program, step.side, step.connection, false);
    if (scene_.program.infiniband || scene_.endpoint(step.side, step.connection).send_cq != 0 || queue.dead ||
        scene_.endpoint(1U - step.side, step.connection).srq || completions_.depth(step.side, name) < kAmple) {
        return false;
    }
    const auto first = std::find_if(queue.slots.begin(), queue.slots.end(),
                                    [&](std::size_t r) { return scene_.requests[r].fates == kPending; });
    if (first == queue.slots.end() || scene_.requests[*first].silent) {
        return false;
    }
    const auto place = std::find(queue.open.begin(), queue.open.end(), *first);
    if (place - queue.open.begin() >= static_cast<std::ptrdiff_t>(queue.announced)) {
        return false;
    }
    // Of those polled in this epoch, which are open still, the slots are given back already.
    queue.slots.erase(queue.slots.begin(), first + 1);
    completions_.poll(step.side, name);
    return true;
}

bool Posts::disconnect(const Step& step) {
    Course& course = scene_.courses[step.connection];
    if (scene_.connections[step.connection].state == State::ended || course.hasty || course.calm) {
        return false;
    }
    (step.hasty ? course.hasty : course.calm) = true;
    return true;
}

// Within an epoch either its owner changes or fills an object, or the peer uses it: nothing orders the one behind the
// other.
bool Posts::touch(const Step& step) {
    auto& touched = touched_[step.connection];
    std::vector<std::optional<std::uint8_t>*> marks;
    const auto region = static_cast<std::size_t>(Target::region) - 1;
    if (step.target != Target::memory) {
        const std::size_t owner = step.is_local() ? step.side : 1U - step.side;
        marks.push_back(&touched[owner][static_cast<std::size_t>(step.target) - 1]);
    }
    if (step.into_region) {
        marks.push_back(&touched[step.side][region]);
    }
    if (std::any_of(marks.begin(), marks.end(),
                    [&](const auto* mark) { return mark->value_or(step.side) != step.side; })) {
        return false;
    }
    std::for_each(marks.begin(), marks.end(), [&](auto* mark) { *mark = step.side; });
    return true;
}

}  // namespace ndsim::reference

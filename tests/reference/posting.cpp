// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/reference/model_run.hpp"

// What a host's calls do.
namespace ndsim::reference {

bool Model::post(std::size_t epoch, std::size_t index) {
    const Step& step = program_.epochs[epoch][index];
    Connection& connection = connections_[step.connection];
    const bool receive = step.what == What::receive;
    // After an overrun it depends on which completions were lost, what a queue still takes.
    if (connection.sends[step.side].dead || connection.receives[step.side].dead) {
        return false;
    }
    if (!touch(step)) {
        return false;
    }
    Queue& queue = receive ? connection.receives[step.side] : connection.sends[step.side];
    const Endpoint& end = endpoint(step.side, step.connection);
    Request request;
    request.epoch = epoch;
    request.step = index;
    request.side = step.side;
    request.connection = step.connection;
    request.receive = receive;
    request.takes_receive = step.is_send();
    request.silent = !receive && step.silent;
    request.label = "p" + std::to_string(++labels_[step.side]);
    const std::size_t number = result_.requests.size();
    result_.requests.push_back(request);
    if (!receive && connection.state == State::ended) {
        give(number, kRefused, "connection_invalid");  // [K154]
        return true;
    }
    if (queue.slots.size() == (receive ? end.rq_depth : end.sq_depth)) {
        give(number, kRefused, "no_more_entries");  // [K28]
        queue.announced = queue.open.size();        // [K39, K40]
        return true;
    }
    queue.open.push_back(number);
    queue.slots.push_back(number);
    if (receive || !step.defer) {
        queue.announced = queue.open.size();
    }
    return true;
}

// Only where the next completion of the queue is known: the queue is the send queue's own, and the oldest request that
// holds a slot is announced and not silent.
bool Model::poll(const Step& step) {
    Connection& connection = connections_[step.connection];
    Queue& queue = connection.sends[step.side];
    if (program_.infiniband || endpoint(step.side, step.connection).send_cq != 0 || queue.dead) {
        return false;
    }
    const auto first = std::find_if(queue.slots.begin(), queue.slots.end(),
                                    [&](std::size_t r) { return result_.requests[r].fates == kPending; });
    if (first == queue.slots.end() || result_.requests[*first].silent) {
        return false;
    }
    const auto place = std::find(queue.open.begin(), queue.open.end(), *first);
    if (place - queue.open.begin() >= static_cast<std::ptrdiff_t>(queue.announced)) {
        return false;
    }
    // Of those polled in this epoch, which are open still, the slots are given back already.
    queue.slots.erase(queue.slots.begin(), first + 1);
    ++polled_[step.side][cq_name(program_, step.side, step.connection, false)];
    return true;
}

bool Model::disconnect(const Step& step) {
    Course& course = courses_[step.connection];
    if (connections_[step.connection].state == State::ended || course.hasty || course.calm) {
        return false;
    }
    (step.hasty ? course.hasty : course.calm) = true;
    return true;
}

// Within an epoch either its owner changes an object, or the peer uses it: nothing orders the one behind the other.
bool Model::touch(const Step& step) {
    if (step.target == Target::memory) {
        return true;
    }
    const std::size_t owner = step.is_local() ? step.side : 1U - step.side;
    auto& touched = touched_[step.connection][owner][static_cast<std::size_t>(step.target) - 1];
    touched = touched.value_or(step.side);
    return *touched == step.side;
}

}  // namespace ndsim::reference

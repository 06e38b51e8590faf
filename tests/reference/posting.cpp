// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/reference/model_run.hpp"

// What a host's calls do.
namespace ndsim::reference {

bool Model::post(std::size_t epoch, std::size_t index) {
    const Step& step = program_.epochs[epoch][index];
    Connection& connection = connections_[step.connection];
    const bool receive = step.what == What::receive;
    const bool shared = receive && has_srq(program_, step);
    // After an overrun it depends on which completions were lost, what a queue still takes.
    if (!shared && (connection.sends[step.side].dead || connection.receives[step.side].dead)) {
        return false;
    }
    if (!touch(step)) {
        return false;
    }
    Queue& queue = receive ? receives_of(step.side, step.connection) : connection.sends[step.side];
    const Endpoint& end = endpoint(step.side, step.connection);
    const std::uint32_t depth = shared ? srqs_[step.side].depth : receive ? end.rq_depth : end.sq_depth;
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
    const std::size_t number = result_.requests.size();
    result_.requests.push_back(request);
    if (!receive && connection.state == State::ended) {
        give(number, kRefused, "connection_invalid");  // [K154]
        ++result_.refused[step.side];
        return true;
    }
    if (queue.slots.size() >= depth) {
        give(number, kRefused, "no_more_entries");  // [K28]
        ++result_.refused[step.side];
        queue.announced = queue.open.size();  // [K39, K40]
        return true;
    }
    srqs_[step.side].late += shared && is_late(program_, step) ? 1 : 0;
    queue.open.push_back(number);
    queue.slots.push_back(number);
    if (receive || !step.defer) {
        queue.announced = queue.open.size();
    }
    return true;
}

// Only where the next completion of the queue is known: the queue is the send queue's own, the oldest request that
// holds a slot is announced and not silent, and nothing waits for a shared receive.
bool Model::poll(const Step& step) {
    Connection& connection = connections_[step.connection];
    Queue& queue = connection.sends[step.side];
    const std::string name = cq_name(program_, step.side, step.connection, false);
    if (program_.infiniband || endpoint(step.side, step.connection).send_cq != 0 || queue.dead ||
        endpoint(1U - step.side, step.connection).srq || cqs_[step.side][name].depth < kAmple) {
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
    ++polled_[step.side][name];
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

// Within an epoch either its owner changes or fills an object, or the peer uses it: nothing orders the one behind the
// other.
bool Model::touch(const Step& step) {
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

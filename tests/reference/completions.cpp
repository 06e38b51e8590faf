// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/reference/model_run.hpp"

// Completions in their queues: whether they fit, and what is polled.
namespace ndsim::reference {

// Whether it leaves a completion there. A silent one of which nobody knows does, as settle() makes it one that is not.
bool Model::completes_in(const Request& request, std::size_t side, const std::string& name) const {
    return request.side == side && cq_name(program_, side, request.connection, request.receive) == name &&
           !dead_[side].contains(name) && !(request.silent && (request.fates & ~kLost) == kSucceeds);
}

// Completions by queue.
std::map<std::string, std::uint32_t> Model::count(std::size_t side) const {
    std::map<std::string, std::uint32_t> counts;
    for (const std::size_t ending : ending_) {
        const Request& request = result_.requests[ending];
        const std::string name = cq_name(program_, side, request.connection, request.receive);
        if (completes_in(request, side, name)) {
            ++counts[name];
        }
    }
    return counts;
}

// An overrun breaks all connections of the queue [K163], which may make others overrun. True if there is a new one.
bool Model::find_overruns() {
    bool found = false;
    for (std::size_t side = 0; side < kSides; ++side) {
        for (const auto& [name, completions] : count(side)) {
            if (overrun_[side].contains(name) || completions <= cqs_[side][name].depth) {
                continue;  // [K165]
            }
            found = true;
            result_.overruns[side] = true;
            overrun_[side].insert(name);
            for (std::size_t i = 0; i < kConnections; ++i) {
                Connection& connection = connections_[i];
                for (const bool receive : {false, true}) {
                    Queue& queue = receive ? connection.receives[side] : connection.sends[side];
                    if (cq_name(program_, side, i, receive) == name && !queue.dead) {
                        queue.dead = true;
                        courses_[i].overrun = true;
                        courses_[i].refuses[side] = true;
                    }
                }
            }
        }
    }
    return found;
}

void Model::conclude() {
    for (std::size_t side = 0; side < kSides; ++side) {
        for (const auto& [name, completions] : count(side)) {
            const std::uint32_t there = overrun_[side].contains(name) ? cqs_[side][name].depth : completions;  // [K164]
            result_.polls.back()[side].counts[name] = there - polled_[side][name];
            result_.completions[side] += completions;
        }
    }
    for (const std::size_t ending : ending_) {
        Request& request = result_.requests[ending];
        if (is_doubtful(request)) {
            doubt(ending, Doubt::Remedy::announce);
        }
        const std::string name = cq_name(program_, request.side, request.connection, request.receive);
        const bool overrun = overrun_[request.side].contains(name);
        if (overrun || dead_[request.side].contains(name)) {
            request.fates |= kLost;
        }
        const std::string other = cq_name(program_, request.side, request.connection, !request.receive);
        const bool other_overran = other != name && overrun_[request.side].contains(other);
        if (may_be_refused(request) && (!overrun || other_overran)) {
            doubt(ending, Doubt::Remedy::omit);  // nobody knows whether there is something to poll
        }
        captured_.erase(ending);
    }
    for (Request& request : result_.requests) {
        request.may_be_refused = request.may_be_refused || may_be_refused(request);
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        dead_[side].insert(overrun_[side].begin(), overrun_[side].end());
        conclude(srqs_[side].receives);
    }
    for (std::size_t i = 0; i < kConnections; ++i) {
        Connection& connection = connections_[i];
        const Course& course = courses_[i];
        for (std::size_t side = 0; side < kSides; ++side) {
            conclude(connection.sends[side]);
            conclude(connection.receives[side]);
        }
        connection.objects = course.objects;
        if (course.hasty || course.calm) {
            connection.state = State::ended;
        } else if (course.breaks() && connection.state == State::alive) {
            connection.state = State::lost;
        }
    }
}

// Whether it may have been posted when the host knew that a completion queue of the queue pair has overrun [K163].
bool Model::may_be_refused(const Request& request) const {
    return courses_[request.connection].refuses[request.side] && !request.shared &&
           request.epoch + 1 == result_.done.size();
}

// What has ended leaves its queue.
void Model::conclude(Queue& queue) const {
    const auto is_open = [&](std::size_t r) { return result_.requests[r].fates == kPending; };
    const auto announced_end = queue.open.begin() + static_cast<std::ptrdiff_t>(queue.announced);
    queue.announced = static_cast<std::size_t>(std::count_if(queue.open.begin(), announced_end, is_open));
    std::erase_if(queue.open, [&](std::size_t r) { return !is_open(r); });
    reclaim(queue);
}

bool Model::is_doubtful(const Request& request) const {
    const Course& course = courses_[request.connection];
    const bool may_fail = request.silent && (request.fates & kSucceeds) != 0 && request.fates != kSucceeds;
    const bool breaks = course.overrun || course.failures[0] || course.failures[1];
    const Queue& sends = connections_[request.connection].sends[request.side];
    const auto announced_end = sends.open.begin() + static_cast<std::ptrdiff_t>(sends.announced);
    const bool deferred = !request.receive && std::any_of(announced_end, sends.open.end(), [&](std::size_t r) {
        return &result_.requests[r] == &request;
    });
    return may_fail || (breaks && deferred && request.epoch + 1 == result_.done.size());
}

// A slot is free once the completion of its request, or of a later one, was polled [K56, K58].
void Model::reclaim(Queue& queue) const {
    const auto polled = [&](std::size_t r) {
        const Request& request = result_.requests[r];
        return request.fates != kPending && !(request.silent && request.fates == kSucceeds);
    };
    const auto last = std::find_if(queue.slots.rbegin(), queue.slots.rend(), polled);
    queue.slots.erase(queue.slots.begin(), last.base());
}

}  // namespace ndsim::reference

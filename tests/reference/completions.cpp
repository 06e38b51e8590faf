// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/completions.hpp"

#include <algorithm>

namespace ndsim::reference {

Completions::Completions(Scene& scene, const Outcomes& outcomes) : scene_(scene), outcomes_(outcomes) {
    for (std::size_t side = 0; side < kSides; ++side) {
        for (std::size_t i = 0; i < kSharedCqs; ++i) {
            resize(side, "shared" + std::to_string(i + 1), scene.program.shared_depths[side][i]);
        }
    }
}

void Completions::begin() {
    overrun_ = {};
    polled_ = {};
}

std::uint32_t Completions::depth(std::size_t side, const std::string& name) const {
    const auto found = depths_[side].find(name);
    return found == depths_[side].end() ? kAmple : found->second;
}

std::uint32_t Completions::polled(std::size_t side, const std::string& name) const {
    const auto found = polled_[side].find(name);
    return found == polled_[side].end() ? 0 : found->second;
}

// Whether it leaves a completion there. A silent one of which nobody knows does, as settle() makes it one that is not.
bool Completions::completes_in(const Request& request, std::size_t side, const std::string& name) const {
    return request.side == side && cq_name(scene_.program, side, request.connection, request.receive) == name &&
           !is_dead(side, name) && !(request.silent && (request.fates & ~kLost) == kSucceeds);
}

std::map<std::string, std::uint32_t> Completions::count(std::size_t side) const {
    std::map<std::string, std::uint32_t> counts;
    for (const std::size_t ending : outcomes_.ending()) {
        const Request& request = scene_.requests[ending];
        const std::string name = cq_name(scene_.program, side, request.connection, request.receive);
        if (completes_in(request, side, name)) {
            ++counts[name];
        }
    }
    return counts;
}

// An overrun breaks all connections of the queue [K163], which may make others overrun. True if there is a new one.
bool Completions::find_overruns() {
    bool found = false;
    for (std::size_t side = 0; side < kSides; ++side) {
        for (const auto& [name, completions] : count(side)) {
            if (has_overrun(side, name) || completions <= depth(side, name)) {
                continue;  // [K165]
            }
            found = true;
            overruns_[side] = true;
            overrun_[side].insert(name);
            for (std::size_t i = 0; i < kConnections; ++i) {
                Connection& connection = scene_.connections[i];
                for (const bool receive : {false, true}) {
                    Queue& queue = receive ? connection.receives[side] : connection.sends[side];
                    if (cq_name(scene_.program, side, i, receive) == name && !queue.dead) {
                        queue.dead = true;
                        scene_.courses[i].overrun = true;
                        scene_.courses[i].refuses[side] = true;
                    }
                }
            }
        }
    }
    return found;
}

void Completions::conclude(std::size_t epoch, std::array<Polls, kSides>& polls) {
    for (std::size_t side = 0; side < kSides; ++side) {
        for (const auto& [name, completions] : count(side)) {
            const std::uint32_t there = has_overrun(side, name) ? depth(side, name) : completions;  // [K164]
            polls[side].counts[name] = there - polled(side, name);
            totals_[side] += completions;
        }
    }
    for (const std::size_t ending : outcomes_.ending()) {
        conclude(ending, epoch);
    }
    for (Request& request : scene_.requests.all()) {
        request.may_be_refused = request.may_be_refused || may_be_refused(request, epoch);
    }
    for (std::size_t side = 0; side < kSides; ++side) {
        dead_[side].insert(overrun_[side].begin(), overrun_[side].end());
    }
}

void Completions::conclude(std::size_t ending, std::size_t epoch) {
    Request& request = scene_.requests[ending];
    if (is_doubtful(ending, epoch)) {
        scene_.requests.doubt(ending, Doubt::Remedy::announce);
    }
    const std::string name = cq_name(scene_.program, request.side, request.connection, request.receive);
    const bool overrun = has_overrun(request.side, name);
    if (overrun || is_dead(request.side, name)) {
        request.fates |= kLost;
    }
    const std::string other = cq_name(scene_.program, request.side, request.connection, !request.receive);
    const bool other_overran = other != name && has_overrun(request.side, other);
    if (may_be_refused(request, epoch) && (!overrun || other_overran)) {
        scene_.requests.doubt(ending, Doubt::Remedy::omit);  // nobody knows whether there is something to poll
    }
}

// Whether it may have been posted when the host knew that a completion queue of the queue pair has overrun [K163].
bool Completions::may_be_refused(const Request& request, std::size_t epoch) const {
    return scene_.courses[request.connection].refuses[request.side] && !request.shared && request.epoch == epoch;
}

bool Completions::is_doubtful(std::size_t ending, std::size_t epoch) const {
    const Request& request = scene_.requests[ending];
    const Course& course = scene_.courses[request.connection];
    const bool may_fail = request.silent && (request.fates & kSucceeds) != 0 && request.fates != kSucceeds;
    const bool breaks = course.overrun || course.failures[0] || course.failures[1];
    const Queue& sends = scene_.connections[request.connection].sends[request.side];
    const auto announced_end = sends.open.begin() + static_cast<std::ptrdiff_t>(sends.announced);
    const bool deferred = !request.receive && std::find(announced_end, sends.open.end(), ending) != sends.open.end();
    return may_fail || (breaks && deferred && request.epoch == epoch);
}

}  // namespace ndsim::reference

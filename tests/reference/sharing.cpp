// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/sharing.hpp"

#include <algorithm>
#include <limits>

namespace ndsim::reference {

namespace {

void doubt_sends(Scene& scene, std::size_t connection, std::size_t from) {
    const Queue& sends = scene.connections[connection].sends[from];
    for (std::size_t i = 0; i < sends.announced; ++i) {
        if (scene.requests.step_of(sends.open[i]).is_send()) {
            scene.requests.doubt(sends.open[i], Doubt::Remedy::omit);
        }
    }
}

// Of the messages that take a receive.
std::vector<std::uint32_t> lengths(const Scene& scene, std::size_t connection, std::size_t from) {
    const Queue& sends = scene.connections[connection].sends[from];
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; list.size() < scene.courses[connection].matched[from]; ++i) {
        const Step& step = scene.requests.step_of(sends.open[i]);
        if (step.is_send()) {
            list.push_back(static_cast<std::uint32_t>(step.length()));
        }
    }
    return list;
}

}  // namespace

void share(Scene& scene, std::size_t side) {
    const std::size_t from = 1 - side;
    std::vector<std::size_t> askers;
    for (std::size_t i = 0; i < kConnections; ++i) {
        if (scene.courses[i].asks[from]) {
            askers.push_back(i);
        }
    }
    if (askers.size() < 2) {
        return;
    }
    scene.srqs[side].contested = true;
    const Queue& receives = scene.srqs[side].receives;
    std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < std::min(scene.srqs[side].taken, receives.open.size()); ++i) {
        smallest = std::min(smallest, scene.requests.step_of(receives.open[i]).length());
    }
    const bool is_certain = std::all_of(askers.begin(), askers.end(), [&](std::size_t asker) {
        const Course& course = scene.courses[asker];
        const auto& failure = course.failures[from];
        const std::vector<std::uint32_t> messages = lengths(scene, asker, from);
        return !course.held[from] &&
               !(failure && scene.requests.step_of(scene.connections[asker].sends[from].open[failure->at]).is_send()) &&
               std::all_of(messages.begin(), messages.end(), [&](std::uint32_t length) { return length <= smallest; });
    });
    if (is_certain) {
        return;
    }
    const auto oldest = std::min_element(askers.begin(), askers.end(), [&](std::size_t a, std::size_t b) {
        return scene.connections[a].sends[from].open.front() < scene.connections[b].sends[from].open.front();
    });
    for (const std::size_t asker : askers) {
        if (asker != *oldest) {
            doubt_sends(scene, asker, from);
        }
    }
}

std::optional<Contest> check_shares(Scene& scene, std::size_t side) {
    const std::size_t from = 1 - side;
    Contest contest;
    for (std::size_t i = 0; i < kConnections; ++i) {
        const Course& course = scene.courses[i];
        const bool takes = course.matched[from] > 0 || (course.failures[from] && course.failures[from]->receive);
        if (!scene.endpoint(side, i).srq || !takes) {
            continue;
        }
        if (course.is_uncertain(from)) {
            doubt_sends(scene, i, from);
        }
        contest.lengths.push_back(lengths(scene, i, from));
    }
    if (!scene.srqs[side].contested) {
        return std::nullopt;
    }
    const std::vector<std::size_t>& open = scene.srqs[side].receives.open;
    const auto taken = static_cast<std::ptrdiff_t>(std::min(scene.srqs[side].taken, open.size()));
    contest.receives.assign(open.begin(), open.begin() + taken);
    return contest;
}

}  // namespace ndsim::reference

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "tests/reference/model_run.hpp"

// Who takes the receives of a shared queue. They go in the order of their posts to whichever connection's message comes
// first [K196]; so if several connections have messages for them, all are large enough, and there are enough of them.
namespace ndsim::reference {

void Model::share(std::size_t side) {
    const std::size_t from = 1 - side;
    std::vector<std::size_t> askers;
    for (std::size_t i = 0; i < kConnections; ++i) {
        if (courses_[i].asks[from]) {
            askers.push_back(i);
        }
    }
    if (askers.size() < 2) {
        return;
    }
    srqs_[side].contested = true;
    const Queue& receives = srqs_[side].receives;
    std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < std::min(srqs_[side].taken, receives.open.size()); ++i) {
        smallest = std::min(smallest, step_of(receives.open[i]).length());
    }
    const bool is_certain = std::all_of(askers.begin(), askers.end(), [&](std::size_t asker) {
        const Course& course = courses_[asker];
        const auto& failure = course.failures[from];
        const std::vector<std::uint32_t> messages = lengths(asker, from);
        return !course.held[from] &&
               !(failure && step_of(connections_[asker].sends[from].open[failure->at]).is_send()) &&
               std::all_of(messages.begin(), messages.end(), [&](std::uint32_t length) { return length <= smallest; });
    });
    if (is_certain) {
        return;
    }
    const auto oldest = std::min_element(askers.begin(), askers.end(), [&](std::size_t a, std::size_t b) {
        return connections_[a].sends[from].open.front() < connections_[b].sends[from].open.front();
    });
    for (const std::size_t asker : askers) {
        if (asker != *oldest) {
            doubt_sends(asker, from);
        }
    }
}

// Messages of a connection that may break at any time take a shared receive, or leave it to others.
void Model::check_shares(std::size_t side) {
    const std::size_t from = 1 - side;
    Contest contest;
    for (std::size_t i = 0; i < kConnections; ++i) {
        const Course& course = courses_[i];
        const bool takes = course.matched[from] > 0 || (course.failures[from] && course.failures[from]->receive);
        if (!endpoint(side, i).srq || !takes) {
            continue;
        }
        if (course.is_uncertain(from)) {
            doubt_sends(i, from);
        }
        contest.lengths.push_back(lengths(i, from));
    }
    if (srqs_[side].contested) {
        const std::vector<std::size_t>& open = srqs_[side].receives.open;
        const auto taken = static_cast<std::ptrdiff_t>(std::min(srqs_[side].taken, open.size()));
        contest.receives.assign(open.begin(), open.begin() + taken);
        result_.contests.push_back(std::move(contest));
    }
}

void Model::doubt_sends(std::size_t connection, std::size_t from) {
    const Queue& sends = connections_[connection].sends[from];
    for (std::size_t i = 0; i < sends.announced; ++i) {
        if (step_of(sends.open[i]).is_send()) {
            doubt(sends.open[i], Doubt::Remedy::omit);
        }
    }
}

// Of the messages that take a receive.
std::vector<std::uint32_t> Model::lengths(std::size_t connection, std::size_t from) const {
    const Queue& sends = connections_[connection].sends[from];
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; list.size() < courses_[connection].matched[from]; ++i) {
        const Step& step = step_of(sends.open[i]);
        if (step.is_send()) {
            list.push_back(static_cast<std::uint32_t>(step.length()));
        }
    }
    return list;
}

}  // namespace ndsim::reference

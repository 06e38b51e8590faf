// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/forecast/follower.hpp"

// The contents of completion queues, and what a program learns by polling them.
namespace ndsim::forecast {

void Follower::place(Stream& stream, Entry entry) {
    stream.entries.push_back(std::move(entry));
    ++cqs_[stream.cq].placed;
}

// The most completions that may have come by now.
std::uint64_t Follower::most_of(const Cq& cq) const {
    std::uint64_t sum = cq.loose;
    for (const Index stream : cq.streams) {
        sum += streams_[stream].possible;
    }
    return sum;
}

// As most_of(), if a connection may have ended, which completes silent and waiting requests.
std::uint64_t Follower::most_if_broken(const Cq& cq) const {
    std::uint64_t sum = 0;
    for (const Index index : cq.streams) {
        const Stream& stream = streams_[index];
        sum += stream.receives ? stream.possible : qps_[stream.qp].sends.size();
    }
    return std::max(sum, most_of(cq));
}

// With several streams it is unknown whose entries a poll has taken: surely those that the other streams cannot supply.
void Follower::learn(Software& software, Cq& cq) {
    const std::uint64_t all = most_of(cq);
    for (const Index index : cq.streams) {
        Stream& stream = streams_[index];
        const std::uint64_t others = all - stream.possible;
        const std::size_t surely =
            std::min<std::uint64_t>(cq.taken > others ? cq.taken - others : 0, stream.entries.size());
        for (; stream.taken_surely < surely; ++stream.taken_surely) {
            const Entry& entry = stream.entries[stream.taken_surely];
            if (tells(stream, entry)) {
                learn(software, entry.known);
            }
        }
    }
}

void Follower::learn(Software& software, const Known& known) {
    Moment& now = software.now;
    now.known.join(known);
    for (const Software& other : hosts_) {
        if (const Index steps = known.steps(other.now.host); steps > 0 && steps <= other.steps.size()) {
            now.when.earliest = std::max(now.when.earliest, other.steps[steps - 1]);
        }
    }
}

// On a connection that breaks, only completions that surely come before that.
bool Follower::tells(const Stream& stream, const Entry& entry) const {
    if (!entry.tells) {
        return false;
    }
    const auto breaks = breaks_.find(stream.qp);
    if (breaks == breaks_.end()) {
        return true;
    }
    const Failure& failure = breaks->second;
    if (stream.qp == failure.qp) {
        return qps_[failure.qp].sends.size() <= failure.index;
    }
    return stream.receives && entry.message && requests_[*entry.message].index < failure.index;
}

}  // namespace ndsim::forecast

// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/pool.hpp"

#include <string>
#include <utility>

#include "sim/base/invariant_error.hpp"
#include "sim/kernel/pool_group.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

Pool::Pool(Unit& owner, const PoolFacts& facts, std::uint64_t capacity)
    : ProbeBase(owner, facts.name, facts.sentence, 32, {}), owner_(owner), occupancy_(capacity), facts_(facts) {
    owner.pools_.push_back(this);
}

void Pool::hold(std::uint64_t n, Interval time) {
    take(n, time.start);
    give_at(n, time.end);
}

std::optional<Picoseconds> Pool::when_departed(std::uint64_t n) const {
    std::uint64_t free = capacity() - occupancy_.level() + next_.count;
    if (free >= n) {
        return next_.at;
    }
    for (std::size_t i = 0; i < later_.size(); ++i) {
        free += later_[i].count;
        if (free >= n) {
            return later_[i].at;
        }
    }
    return std::nullopt;
}

void Pool::depart(Picoseconds at) {
    if (group_ != nullptr) {
        group_->depart(at);
        return;
    }
    while (next_.at <= at) {
        // Remove it before showing: a waveform written now settles this pool again.
        const Departure departure = next_;
        next_ = later_.empty() ? Departure{kNever} : later_.pop();
        leave(departure);
    }
}

// Departures are booked almost in order. An earlier one moves ahead of its predecessors; one of the same time joins its
// predecessor.
void Pool::sort_in(Departure departure) {
    if (departure.at < next_.at) {
        std::swap(departure, next_);
    }
    std::size_t place = later_.size();
    while (place > 0 && later_[place - 1].at > departure.at) {
        --place;
    }
    Departure& before = place > 0 ? later_[place - 1] : next_;
    if (before.at == departure.at) {
        before.count += departure.count;
        return;
    }
    later_.push(departure);
    for (std::size_t i = later_.size() - 1; i > place; --i) {
        std::swap(later_[i], later_[i - 1]);
    }
}

void Pool::refuse(std::uint64_t n, Picoseconds at) const {
    throw InvariantError(owner_.name(), at,
                         std::string(name()) + ": " + std::to_string(n) + " wanted, " +
                             std::to_string(capacity() - occupancy_.level()) + " there");
}

void Pool::refuse_return(Picoseconds at) const {
    throw InvariantError(owner_.name(), at, std::string(name()) + ": more given back than taken");
}

void Pool::restart(Picoseconds at) {
    settle(at);
    begin(occupancy_.level(), last());
}

void Pool::begin(std::uint64_t level, Picoseconds at) {
    occupancy_.restart(level, at);
    residence_ = -entry_time(level, at);
    taken_ = 0;
}

}  // namespace ndsim

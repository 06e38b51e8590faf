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

std::optional<Picoseconds> Pool::when_departed(std::uint64_t n) const {
    std::uint64_t free = capacity() - occupancy_.level();
    for (std::size_t i = 0; i < departures_.size(); ++i) {
        free += departures_[i].count;
        if (free >= n) {
            return departures_[i].at;
        }
    }
    return std::nullopt;
}

void Pool::depart(Picoseconds at) {
    if (group_ != nullptr) {
        group_->depart(at);
        return;
    }
    while (next_departure_ <= at) {
        // Remove it before showing: a waveform written now settles this pool again.
        const Departure departure = departures_.pop();
        next_departure_ = departures_.empty() ? kNever : departures_.front().at;
        leave(departure);
    }
}

// Departures are booked almost in order. An earlier one moves ahead of its predecessors; one of the same time joins its
// predecessor.
void Pool::sort_in(const Departure& departure) {
    std::size_t place = departures_.size();
    while (place > 0 && departures_[place - 1].at > departure.at) {
        --place;
    }
    if (place > 0 && departures_[place - 1].at == departure.at) {
        departures_[place - 1].count += departure.count;
        return;
    }
    departures_.push(departure);
    for (std::size_t i = departures_.size() - 1; i > place; --i) {
        std::swap(departures_[i], departures_[i - 1]);
    }
    next_departure_ = departures_.front().at;
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
    occupancy_.restart(last());
    residence_ = -entry_time(occupancy_.level(), last());
    taken_ = 0;
}

}  // namespace ndsim

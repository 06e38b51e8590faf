// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/pool.hpp"

#include <string>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

namespace {

WideTime entry_time(std::uint64_t n, Picoseconds at) {
    return static_cast<WideTime>(at.count()) * static_cast<WideTime>(n);
}

}  // namespace

Pool::Pool(Unit& owner, std::string_view name, std::string_view sentence, std::uint64_t capacity)
    : ProbeBase(owner, name, sentence, 32, {}), owner_(owner), occupancy_(capacity) {
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

// Departures are booked almost in order; one that is earlier than its predecessors moves ahead of them.
void Pool::sort_in() {
    for (std::size_t i = departures_.size() - 1; i > 0 && departures_[i].at < departures_[i - 1].at; --i) {
        std::swap(departures_[i], departures_[i - 1]);
    }
}

void Pool::refuse(std::uint64_t n, Picoseconds at) const {
    throw InvariantError(owner_.name(), at,
                         std::string(name()) + ": " + std::to_string(n) + " wanted, " +
                             std::to_string(capacity() - occupancy_.level()) + " there");
}

void Pool::refuse_return() const {
    throw InvariantError(owner_.name(), last_, std::string(name()) + ": more given back than taken");
}

WideTime Pool::residence() const {
    return residence_ + entry_time(occupancy_.level(), last_);
}

void Pool::restart(Picoseconds at) {
    settle(at);
    occupancy_.restart(last_);
    residence_ = -entry_time(occupancy_.level(), last_);
    taken_ = 0;
}

}  // namespace ndsim

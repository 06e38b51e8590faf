// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/pool.hpp"

#include <algorithm>
#include <string>

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

std::optional<Picoseconds> Pool::when_available(std::uint64_t n, Picoseconds at) {
    std::uint64_t free = available(at);
    if (free >= n) {
        return std::max(at, last_);  // entries may have been taken ahead
    }
    for (std::size_t i = 0; i < departures_.size(); ++i) {
        free += departures_[i].count;
        if (free >= n) {
            return departures_[i].at;
        }
    }
    return std::nullopt;
}

void Pool::take(std::uint64_t n, Picoseconds at) {
    if (available(at) < n) {
        throw InvariantError(owner_.name(), at, std::string(name()) + ": " + std::to_string(n) + " wanted, " +
                                                    std::to_string(available(at)) + " there");
    }
    taken_ += n;
    residence_ -= entry_time(n, last_);
    occupancy_.set(occupancy_.level() + n, last_);
    show(occupancy_.level(), last_);
}

void Pool::give(std::uint64_t n, Picoseconds at) {
    settle(at);
    leave(n, last_);
}

void Pool::give_at(std::uint64_t n, Picoseconds when) {
    departures_.push({when, n});
    // Departures are booked almost in order; one that is earlier than its predecessors moves ahead of them.
    for (std::size_t i = departures_.size() - 1; i > 0 && departures_[i].at < departures_[i - 1].at; --i) {
        std::swap(departures_[i], departures_[i - 1]);
    }
}

void Pool::leave(std::uint64_t n, Picoseconds at) {
    const Picoseconds when = at > last_ ? at : last_;
    if (occupancy_.level() < n) {
        throw InvariantError(owner_.name(), when, std::string(name()) + ": more given back than taken");
    }
    residence_ += entry_time(n, when);
    occupancy_.set(occupancy_.level() - n, when);
    last_ = when;
    show(occupancy_.level(), when);
}

WideTime Pool::residence() const { return residence_ + entry_time(occupancy_.level(), last_); }

void Pool::restart(Picoseconds at) {
    settle(at);
    occupancy_.restart(last_);
    residence_ = -entry_time(occupancy_.level(), last_);
    taken_ = 0;
}

}  // namespace ndsim

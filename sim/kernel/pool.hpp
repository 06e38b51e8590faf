// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>

#include "sim/base/exact_rate.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/occupancy.hpp"
#include "sim/kernel/pool_facts.hpp"
#include "sim/kernel/probe.hpp"

namespace ndsim {

class PoolGroup;

// Pool: a resource of a unit that has a number of entries (slots, tags, credits, bytes of a buffer). Entries are taken
// now and returned now, or at a time already known. Such departures take effect when the pool is next read at or after
// that time, in time order.
class Pool : public ProbeBase {
public:
    static constexpr std::uint64_t kUnlimited = UINT64_MAX;

    Pool(Unit& owner, const PoolFacts& facts, std::uint64_t capacity);
    Pool(Unit& owner, const PoolFacts&& facts, std::uint64_t capacity) = delete;  // the facts must outlive the pool

    [[nodiscard]] const PoolFacts& facts() const { return facts_; }

    [[nodiscard]] std::uint64_t capacity() const { return occupancy_.capacity(); }
    // The number of free entries at `at`; time never goes back.
    [[nodiscard]] std::uint64_t available(Picoseconds at) {
        if (next_.at <= at) {
            depart(at);
        }
        return capacity() - occupancy_.level();
    }
    // The earliest time from `at` on at which `n` are free, as far as is known now.
    [[nodiscard]] std::optional<Picoseconds> when_available(std::uint64_t n, Picoseconds at) {
        return available(at) >= n ? std::max(at, last()) : when_departed(n);  // entries may have been taken ahead
    }

    // Takes `n` now; InvariantError if there are fewer.
    void take(std::uint64_t n, Picoseconds at) {
        if (available(at) < n) {
            refuse(n, at);
        }
        const Picoseconds when = std::max(at, last());
        taken_ += n;
        residence_ -= entry_time(n, when);
        occupancy_.rise(n, when);
        show(occupancy_.level(), when);
    }
    // `n` entries are back now.
    void give(std::uint64_t n, Picoseconds at) {
        if (next_.at <= at) {
            depart(at);
        }
        leave({at, n});
    }
    // `n` entries will be back at `when`, which may lie ahead.
    void give_at(std::uint64_t n, Picoseconds when) {
        assert(group_ == nullptr);
        if (next_.at == kNever) {
            next_ = {when, n};
        } else if (when > last_departure_) {
            later_.push({when, n});
        } else {
            sort_in({when, n});
            return;
        }
        last_departure_ = when;
    }

    // Takes `n` for this time.
    void hold(std::uint64_t n, Interval time);

    // Accounts for everything up to `at`.
    void settle(Picoseconds at) {
        depart(at);
        occupancy_.advance(std::max(at, last()));
    }

    [[nodiscard]] const Occupancy& occupancy() const { return occupancy_; }
    // Sum over all entries of the time they were held; entries still held count up to the last settle(). Equals the
    // integral of the occupancy exactly (Little's law without its limit). Modulo 2^64, which is enough to compare them.
    [[nodiscard]] std::uint64_t residence() const { return residence_ + entry_time(occupancy_.level(), last()); }
    [[nodiscard]] std::uint64_t taken() const { return taken_; }
    // Whether it was always empty.
    [[nodiscard]] bool unused() const { return taken_ == 0 && occupancy_.high_water() == 0; }
    // Forgets the past: statistics count from `at`, or from the last change if that is later.
    void restart(Picoseconds at);

protected:
    [[nodiscard]] const Unit& owner() const { return owner_; }
    // The time of the last event.
    [[nodiscard]] Picoseconds last() const { return occupancy_.since(); }
    // Statistics count from `at`, with this level then.
    void begin(std::uint64_t level, Picoseconds at);

private:
    friend class PoolGroup;

    // Entries that will be back.
    struct Departure {
        Picoseconds at{};
        std::uint64_t count = 0;
    };

    static constexpr Picoseconds kNever = Picoseconds::max();

    static std::uint64_t entry_time(std::uint64_t n, Picoseconds at) {
        return n * static_cast<std::uint64_t>(at.count());
    }
    void depart(Picoseconds at);  // departures up to `at` take effect
    void leave(const Departure& departure) {
        const Picoseconds when = std::max(departure.at, last());
        if (occupancy_.level() < departure.count) {
            refuse_return(when);
        }
        residence_ += entry_time(departure.count, when);
        occupancy_.fall(departure.count, when);
        show(occupancy_.level(), when);
    }
    // An entry leaves at the time of each element of a row.
    template <class Row, class Time>
    void leave_one_by_one(const Row& row, Time time) {
        if (occupancy_.level() < row.size()) {
            refuse_return(std::max(row.back().*time, last()));
        }
        residence_ += occupancy_.fall_one_by_one(row, time);
        show(occupancy_.level(), last());
    }
    [[nodiscard]] std::optional<Picoseconds> when_departed(std::uint64_t n) const;
    void sort_in(Departure departure);  // not as the last one
    [[noreturn]] void refuse(std::uint64_t n, Picoseconds at) const;
    [[noreturn]] void refuse_return(Picoseconds at) const;

    Unit& owner_;
    Occupancy occupancy_;
    Departure next_{kNever};        // the first to come; of a group, its time alone
    Ring<Departure> later_;         // those behind it
    Picoseconds last_departure_{};  // the time of the last of them, if there is any
    PoolGroup* group_ = nullptr;    // that knows the departures
    std::uint64_t residence_ = 0;   // of entries that left, minus the arrival times of those still held
    std::uint64_t taken_ = 0;
    const PoolFacts& facts_;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/base/exact_rate.hpp"

namespace ndsim {

class Unit;

// StateTimes: how long a unit was in each of its states. Changes may lie ahead of the simulation; they count when their
// time has come. The times add up to the time observed. Reports use the states' names; a state without a sentence is
// not reported.
class StateTimes {
public:
    // The texts live as long as the program. The unit begins in state 0.
    StateTimes(Unit& owner, std::span<const std::string_view> names, std::span<const std::string_view> sentences);
    StateTimes(const StateTimes&) = delete;
    StateTimes& operator=(const StateTimes&) = delete;

    // The unit is in this state from `at` on; changes announced for later times are dropped.
    void enter(std::size_t state, Picoseconds at) {
        while (last_->at >= at) {
            --last_;
        }
        if (last_->state == state) {
            return;
        }
        if (last_ == end_) [[unlikely]] {
            make_room();
        }
        *++last_ = {at, state};
    }
    // State 1 during `span`, then state 0.
    void busy(Interval span) {
        enter(1, span.start);
        enter(0, span.end);
    }

    // Accounts for everything up to `at`, which never goes back.
    void settle(Picoseconds at);
    // Forgets the past: times count from `at`.
    void restart(Picoseconds at);

    // Up to the last settle().
    [[nodiscard]] Picoseconds spent(std::size_t state) const { return spent_[state]; }
    [[nodiscard]] std::span<const std::string_view> names() const { return names_; }
    [[nodiscard]] std::span<const std::string_view> sentences() const { return sentences_; }

protected:
    // This many states, which are reported elsewhere.
    StateTimes(Unit& owner, std::size_t states);

private:
    // The start of a state.
    struct Change {
        Picoseconds at{};
        std::size_t state = 0;
    };

    static constexpr Picoseconds kAlways = Picoseconds::min();

    void make_room();
    void grow(std::size_t size);
    void count_up_to(Picoseconds at);

    const Unit& owner_;
    std::span<const std::string_view> names_;
    std::span<const std::string_view> sentences_;
    // The present state as far as times are counted, entered before all times, so that no change replaces it. Then
    // later changes, which may still be dropped.
    std::vector<Change> told_;
    Change* last_;           // change
    Change* end_;            // last place
    Picoseconds counted_{};  // up to here, or to the present state's begin
    std::vector<Picoseconds> spent_;
};

}  // namespace ndsim

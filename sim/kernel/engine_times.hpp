// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/state_times.hpp"

namespace ndsim {

// What an engine does in one of its states.
struct EngineState {
    static constexpr std::string_view kIdle = "idle";
    static constexpr std::string_view kBusy = "busy";

    std::string_view what;       // one of these, or what it waits for, in the words of pools and ledger
    std::string_view sentence;   // for the time in it
    std::string_view part = {};  // the statistic of the unit that has the time in this state, and in others, apart
};

// EngineTimes: the time of an engine, something that does work and can be held up. At every moment it is idle, busy, or
// blocked by one thing, the last one that is missing; the times in the three add up to the time observed.
class EngineTimes final : public StateTimes {
public:
    // `name` is what the unit calls it, empty if the unit is the engine. The table lives as long as the program; the
    // engine begins in its first state.
    EngineTimes(Unit& owner, std::string_view name, std::span<const EngineState> states);

    [[nodiscard]] std::string_view name() const { return name_; }
    [[nodiscard]] std::span<const EngineState> states() const { return states_; }
    // In all states in which it does, or waits for, this; up to the last settle().
    [[nodiscard]] Picoseconds spent_on(std::string_view what) const;
    // In all states of a part.
    [[nodiscard]] Picoseconds spent_in_part(std::string_view part) const;

private:
    std::string_view name_;
    std::span<const EngineState> states_;
};

}  // namespace ndsim

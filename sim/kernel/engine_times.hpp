// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/state_times.hpp"

namespace ndsim {

// A state of an engine.
struct EngineState {
    static constexpr std::string_view kIdle = "idle";
    static constexpr std::string_view kBusy = "busy";

    std::string_view what;       // kIdle, kBusy, or the thing waited for, in the words of pools and ledger
    std::string_view sentence;   // about the time in this state
    std::string_view part = {};  // statistic of the unit for the time in this state and others with the same part
};

// EngineTimes: the time of an engine, a part that works and can be held up. At every moment it is idle, busy, or
// blocked by one thing, the last one missing; the times of its states add up to the time observed.
class EngineTimes final : public StateTimes {
public:
    // `name` is the unit's name for it, empty if the unit is the engine. The table lives as long as the program; the
    // engine begins in its first state.
    EngineTimes(Unit& owner, std::string_view name, std::span<const EngineState> states);

    [[nodiscard]] std::string_view name() const { return name_; }
    [[nodiscard]] std::span<const EngineState> states() const { return states_; }
    // The time in all states with this `what`, up to the last settle().
    [[nodiscard]] Picoseconds spent_on(std::string_view what) const;
    // The time in all states of a part.
    [[nodiscard]] Picoseconds spent_in_part(std::string_view part) const;

private:
    std::string_view name_;
    std::span<const EngineState> states_;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/probe.hpp"

namespace ndsim {

// StateClock: the watchable state of a unit that is an engine, with the time spent in each state.
template <class State, std::size_t N>
class StateClock {
public:
    StateClock(Unit& owner, std::string_view name, std::string_view sentence,
               const std::array<std::string_view, N>& names, const std::array<EngineState, N>& states)
        : probe_(owner, name, sentence, names), times_(owner, {}, states) {}

    void set(State state, Picoseconds at) {
        times_.enter(static_cast<std::size_t>(state), at);
        probe_.set(state, at);
    }
    [[nodiscard]] State get() const { return probe_.get(); }

private:
    Probe<State> probe_;
    EngineTimes times_;
};

}  // namespace ndsim

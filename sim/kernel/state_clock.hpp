// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/kernel/probe.hpp"
#include "sim/kernel/state_times.hpp"

namespace ndsim {

// StateClock: the state of an engine (idle, busy, or what it waits for), which can be watched, with the time spent in
// each.
template <class State, std::size_t N>
class StateClock {
public:
    StateClock(Unit& owner, std::string_view name, std::string_view sentence,
               const std::array<std::string_view, N>& names, const std::array<std::string_view, N>& sentences)
        : probe_(owner, name, sentence, names), times_(owner, names, sentences) {}

    void set(State state, Picoseconds at) {
        times_.enter(static_cast<std::size_t>(state), at);
        probe_.set(state, at);
    }
    [[nodiscard]] State get() const { return probe_.get(); }

private:
    Probe<State> probe_;
    StateTimes times_;
};

}  // namespace ndsim

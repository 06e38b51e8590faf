// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/kernel/probe.hpp"

namespace ndsim {

// StateClock: the state of an engine (idle, busy, or what it waits for) with the time spent in each. The times add
// up to the time observed.
template <class State, std::size_t N>
class StateClock {
public:
    StateClock(Unit& owner, std::string_view name, std::string_view sentence,
               const std::array<std::string_view, N>& names)
        : probe_(owner, name, sentence, names) {}

    void set(State state, Picoseconds at) {
        dwell_[static_cast<std::size_t>(state_)] += at - since_;
        since_ = at;
        state_ = state;
        probe_.set(state, at);
    }
    [[nodiscard]] State get() const { return state_; }
    // Time spent in `state` until the last set().
    [[nodiscard]] Picoseconds dwell(State state) const { return dwell_[static_cast<std::size_t>(state)]; }

private:
    Probe<State> probe_;
    State state_{};
    Picoseconds since_{};
    std::array<Picoseconds, N> dwell_{};
};

}  // namespace ndsim

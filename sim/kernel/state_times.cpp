// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/state_times.hpp"

#include <algorithm>

#include "sim/kernel/unit.hpp"

namespace ndsim {

StateTimes::StateTimes(Unit& owner, std::span<const std::string_view> names,
                       std::span<const std::string_view> sentences)
    : owner_(owner), names_(names), sentences_(sentences), spent_(names.size()) {
    owner.state_times_.push_back(this);
}

void StateTimes::enter(std::size_t state, Picoseconds at) {
    const Picoseconds now = owner_.now();
    change_up_to(now);
    if (ahead_.empty() && at <= now) {
        change({at, state});
    } else if (!ahead_.empty() && ahead_.back().at >= at) {
        ahead_.back().state = state;  // it was in the state before for no time
    } else {
        ahead_.push({at, state});
    }
}

void StateTimes::settle(Picoseconds at) {
    change_up_to(at);
    advance(at);
}

void StateTimes::restart(Picoseconds at) {
    settle(at);
    std::ranges::fill(spent_, Picoseconds{});
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/engine_times.hpp"

#include "sim/kernel/unit.hpp"

namespace ndsim {

EngineTimes::EngineTimes(Unit& owner, std::string_view name, std::span<const EngineState> states)
    : StateTimes(owner, states.size()), name_(name), states_(states) {
    owner.engines_.push_back(this);
}

Picoseconds EngineTimes::spent_on(std::string_view what) const {
    Picoseconds sum{};
    for (std::size_t i = 0; i < states_.size(); ++i) {
        sum += states_[i].what == what ? spent(i) : Picoseconds{};
    }
    return sum;
}

Picoseconds EngineTimes::spent_in_part(std::string_view part) const {
    Picoseconds sum{};
    for (std::size_t i = 0; i < states_.size(); ++i) {
        sum += states_[i].part == part ? spent(i) : Picoseconds{};
    }
    return sum;
}

}  // namespace ndsim

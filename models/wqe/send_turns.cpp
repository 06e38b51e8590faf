// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/send_turns.hpp"

#include <algorithm>
#include <utility>

namespace ndsim {

void SendTurns::hold(Place& place, Stall stall) {
    place.held = stall;
    ++held_[static_cast<std::size_t>(stall)];
    ++held_in_all_;
}

bool SendTurns::let_go(Place& place) {
    const Stall held = std::exchange(place.held, Stall::none);
    if (held == Stall::none) {
        return false;
    }
    --held_[static_cast<std::size_t>(held)];
    --held_in_all_;
    return true;
}

Stall SendTurns::first_held() const {
    const auto* const first = std::find_if(held_.begin(), held_.end(), [](std::uint32_t count) { return count > 0; });
    return static_cast<Stall>(first - held_.begin());
}

void SendTurns::wait_for_slot(Row& row) {
    starters_.push(row.front());
    row.pop();
}

}  // namespace ndsim

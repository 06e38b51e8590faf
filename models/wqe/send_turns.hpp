// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/ports/stall.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// SendTurns: in which order queue pairs take turns. Those whose turn came when there was no slot for their message
// stand in a row of their own, and go first once there is one. A queue pair that is held has no turn until it is let
// go.
class SendTurns {
public:
    // Queue pairs, by index, in the order of their turns.
    using Row = Ring<std::uint32_t>;
    // Where a queue pair stands.
    struct Place {
        bool has_turn = false;  // in one of the rows
        Stall held = Stall::none;
    };

    // Stands at the end from now on, unless it has a turn or is held.
    void add(Place& place, std::uint32_t index) {
        if (!place.has_turn && place.held == Stall::none) {
            place.has_turn = true;
            turns_.push(index);
        }
    }
    void hold(Place& place, Stall stall);
    // True if it was held.
    bool let_go(Place& place);
    // Whether any is held, and of all stalls that do so, the first one.
    [[nodiscard]] bool any_held() const { return held_in_all_ > 0; }
    [[nodiscard]] Stall first_held() const;

    // Those that wait for a slot.
    [[nodiscard]] const Row& starters() const { return starters_; }
    // Whose turn it is stands at the front of this one.
    [[nodiscard]] Row& row(bool starters) { return starters ? starters_ : turns_; }
    // Who stands at the front of a row has gone, or waits for a slot.
    static void end(Row& row, Place& place) {
        row.pop();
        place.has_turn = false;
    }
    void wait_for_slot(Row& row);

private:
    Row turns_;
    Row starters_;
    std::array<std::uint32_t, kStallNames.size()> held_{};  // how many are, by what for
    std::uint32_t held_in_all_ = 0;
};

}  // namespace ndsim

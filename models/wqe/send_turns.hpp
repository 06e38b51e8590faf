// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/ledger/stall.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// SendTurns: the order in which queue pairs take turns. A queue pair whose turn came while there was no slot for its
// message waits in a separate row, which goes first once there is one. A queue pair that is held has no turn until it
// is let go.
class SendTurns {
public:
    // Queue pairs, by index, in the order of their turns.
    using Row = Ring<std::uint32_t>;
    // The place of a queue pair.
    struct Place {
        bool has_turn = false;  // in one of the rows
        Stall held = Stall::none;
    };

    // The queue pair goes to the end, unless it has a turn or is held.
    void add(Place& place, std::uint32_t index) {
        if (!place.has_turn && place.held == Stall::none) {
            place.has_turn = true;
            turns_.push(index);
        }
    }
    void hold(Place& place, Stall stall);
    // True if it was held.
    bool let_go(Place& place);
    // Whether any queue pair is held, and the first of all stalls that hold one.
    [[nodiscard]] bool any_held() const { return held_in_all_ > 0; }
    [[nodiscard]] Stall first_held() const;

    // Queue pairs that wait for a slot.
    [[nodiscard]] const Row& starters() const { return starters_; }
    // The next turn is that of the front of the row.
    [[nodiscard]] Row& row(bool starters) { return starters ? starters_ : turns_; }
    // The queue pair at the front of a row has gone. wait_for_slot(): it waits for a slot.
    static void end(Row& row, Place& place) {
        row.pop();
        place.has_turn = false;
    }
    void wait_for_slot(Row& row);

private:
    Row turns_;
    Row starters_;
    std::array<std::uint32_t, kStallNames.size()> held_{};  // number of held queue pairs, by stall
    std::uint32_t held_in_all_ = 0;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/base/units.hpp"

namespace ndsim::report {

// A time with something to show, and the room that it needs above it.
struct LadderMoment {
    Picoseconds at{};
    double room = 0;
};

// A time without moments that the scale has shortened, and its place.
struct LadderPause {
    double y = 0;
    Picoseconds time{};
};

// LadderScale: the places of times on a ladder diagram. Later times are never above earlier ones, moments do not cover
// each other, and long times without moments are shortened.
class LadderScale {
public:
    LadderScale(std::vector<LadderMoment> moments, double top);

    // A time that is no moment is placed in proportion between its neighbours.
    [[nodiscard]] double y(Picoseconds at) const;
    [[nodiscard]] double bottom() const { return places_.back().y; }
    [[nodiscard]] const std::vector<LadderPause>& pauses() const { return pauses_; }

private:
    // A moment and its place.
    struct Place {
        Picoseconds at{};
        double y = 0;
    };
    std::vector<Place> places_;  // at least one
    std::vector<LadderPause> pauses_;
};

}  // namespace ndsim::report

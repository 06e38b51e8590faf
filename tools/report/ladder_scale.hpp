// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/base/units.hpp"

namespace ndsim::report {

// A time at which something is to be seen, with the room that it needs above it.
struct LadderMoment {
    Picoseconds at{};
    double room = 0;
};

// A time without any moment that the scale has shortened, and where.
struct LadderPause {
    double y = 0;
    Picoseconds time{};
};

// LadderScale: where times are on a ladder diagram. What is later is never above what is earlier; moments do not cover
// each other, and long times without any are shortened.
class LadderScale {
public:
    LadderScale(std::vector<LadderMoment> moments, double top);

    // Of a time that is no moment: in proportion between its neighbours.
    [[nodiscard]] double y(Picoseconds at) const;
    [[nodiscard]] double bottom() const { return places_.back().y; }
    [[nodiscard]] const std::vector<LadderPause>& pauses() const { return pauses_; }

private:
    struct Place {
        Picoseconds at{};
        double y = 0;
    };
    std::vector<Place> places_;  // at least one
    std::vector<LadderPause> pauses_;
};

}  // namespace ndsim::report

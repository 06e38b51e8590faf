// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sim/base/units.hpp"

namespace ndsim {

// CommitOrder: posted writes become visible in the order of their arrival, and a read finds what arrived before it. A
// small write may be told of after a longer one that it arrives before, because it has entered it on the link.
class CommitOrder {
public:
    // When everything is visible that has arrived by `at`.
    [[nodiscard]] Picoseconds settled(Picoseconds at) const {
        return at >= last_.arrives ? std::max(last_.visible, earlier_) : earlier_;
    }
    // A write that arrives at `arrives` is visible at `visible`.
    void add(Picoseconds arrives, Picoseconds visible) {
        if (arrives < last_.arrives) {
            earlier_ = std::max(earlier_, visible);
            return;
        }
        earlier_ = std::max(earlier_, last_.visible);
        last_ = {arrives, visible};
    }

private:
    struct Write {
        Picoseconds arrives{};
        Picoseconds visible{};
    };
    Write last_;             // the one that arrives last of all
    Picoseconds earlier_{};  // all others
};

}  // namespace ndsim

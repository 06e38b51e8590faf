// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sim/base/units.hpp"

namespace ndsim {

// CommitOrder: posted writes become visible in order of arrival, and a read finds all writes that arrived before it. A
// small write may be added after a longer one that arrives later, since it entered that on the link.
class CommitOrder {
public:
    // When everything that has arrived by `at` is visible.
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
    // A posted write.
    struct Write {
        Picoseconds arrives{};
        Picoseconds visible{};
    };
    Write last_;             // the last to arrive
    Picoseconds earlier_{};  // all others
};

}  // namespace ndsim

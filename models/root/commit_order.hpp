// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sim/base/units.hpp"

namespace ndsim {

// CommitOrder: which posted writes may pass which. They become visible in order of arrival, except those with relaxed
// ordering, which pass earlier ones; a read finds all writes that arrived before it. A small write may be added after a
// longer one that arrives later, since it entered that on the link.
class CommitOrder {
public:
    // When everything that has arrived by `at` is visible.
    [[nodiscard]] Picoseconds settled(Picoseconds at) const {
        return at >= last_.arrives ? std::max(last_.visible, earlier_) : earlier_;
    }
    // Adds a write that arrives at `arrives`, and tells when it is visible: at `ready`, unless the order keeps it back.
    Picoseconds add(Picoseconds arrives, Picoseconds ready, bool relaxed) {
        const Picoseconds visible = relaxed ? ready : std::max(ready, settled(arrives));
        if (arrives < last_.arrives) {
            earlier_ = std::max(earlier_, visible);
        } else {
            earlier_ = std::max(earlier_, last_.visible);
            last_ = {arrives, visible};
        }
        return visible;
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"
#include "sim/base/rng.hpp"

namespace ndsim {

// Arrivals: when an open-loop generator wants its messages, whatever the fate of earlier ones. A closed loop wants each
// at once.
class Arrivals {
public:
    Arrivals(const Traffic& traffic, std::uint64_t seed);

    void begin(Picoseconds at);
    [[nodiscard]] bool open() const { return traffic_.arrivals != ArrivalKind::closed; }
    // Arrival of the next message; Picoseconds::max() before begin().
    [[nodiscard]] Picoseconds next() const { return next_; }
    void taken();

private:
    const Traffic& traffic_;
    Rng random_;
    Picoseconds begun_{};
    Picoseconds next_ = Picoseconds::max();
    std::uint64_t count_ = 0;  // taken
};

}  // namespace ndsim

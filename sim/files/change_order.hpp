// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// A signal's change that is not yet written.
struct WaveChange {
    Picoseconds at;
    std::uint64_t value;
    std::uint32_t signal;
};

// ChangeOrder: changes in the order of time, and within one picosecond in that of their signals; changes of one signal
// at one time keep their order. Changes are spread over equal spans of time first, as a few of them fall into each.
class ChangeOrder {
public:
    // Takes the changes before `limit` out of `changes`, of which none is before `first`. The others keep their order.
    // The result is valid until the next call.
    [[nodiscard]] std::span<const WaveChange> take(std::vector<WaveChange>& changes, Picoseconds first,
                                                   Picoseconds limit);

private:
    std::vector<std::uint32_t> ends_;  // of the spans' places in sorted_
    std::vector<WaveChange> sorted_;
};

}  // namespace ndsim

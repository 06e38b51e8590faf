// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/search.hpp"

namespace ndsim::advise {

// The time of a single message without others, and the time that a single Read is outstanding. 0: unknown.
struct Alone {
    Picoseconds message{};
    Picoseconds read{};
};

// The lifetime of each of `depth` messages on each of the generator's queue pairs, at that goodput.
[[nodiscard]] Picoseconds time_under_way(const Traffic& traffic, std::uint64_t depth, std::uint64_t goodput);

// Little's law, in bits per second: messages that a depth lets under way are no faster than a single one. None for a
// dimension that does not count messages, or if the time of a single message is unknown.
[[nodiscard]] std::optional<std::uint64_t> little_bound(const Dimension& dimension, std::uint64_t depth,
                                                        const Alone& alone);

// The same for a rate that is measured: a window begins and ends within a message, which may add a thousandth.
[[nodiscard]] std::optional<std::uint64_t> measured_bound(const Dimension& dimension, std::uint64_t depth,
                                                          const Alone& alone);

// Whether no step of the curve is faster than measured_bound(). One is if a busy queue serves a message faster than a
// single one, as WQEs are fetched ahead and polls shared.
[[nodiscard]] bool is_bounded(const Dimension& dimension, const std::map<std::uint64_t, Trial>& steps,
                              const Alone& alone);

}  // namespace ndsim::advise

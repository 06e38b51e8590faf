// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/search.hpp"

namespace ndsim::advise {

// An upper bound of the payload rate, by a formula of docs/advise.md.
struct Bound {
    std::string what;
    std::uint64_t rate = 0;  // bits per second
    bool is_of_all = false;  // it holds for the sum of all generators
};

// Bounds that no depth changes, for all generators of a host together: the wire, the message rates of queue pairs and
// NIC, and the work of their cores for each message; and for all that read from a host: how soon it starts Reads.
[[nodiscard]] std::vector<Bound> fixed_bounds(const Scenario& scenario);

// The time of a single message without others, and the time that a single Read is outstanding. 0: unknown.
struct Alone {
    Picoseconds message{};
    Picoseconds read{};
};

// The lifetime of each of `depth` messages on each of the generator's queue pairs, at that goodput.
[[nodiscard]] Picoseconds time_under_way(const Traffic& traffic, std::uint64_t depth, std::uint64_t goodput);

// Little's law: messages that a depth lets under way are no faster than a single one. None for a dimension that does
// not count messages, or if the time of a single message is unknown.
[[nodiscard]] std::optional<std::uint64_t> little_bound(const Dimension& dimension, std::uint64_t depth,
                                                        const Alone& alone);

// Whether little_bound() holds for this curve. It does not if a busy queue serves a message faster than a single one,
// as WQEs are fetched ahead and polls shared.
[[nodiscard]] bool is_bounded(const Dimension& dimension, const std::map<std::uint64_t, Trial>& steps,
                              const Alone& alone);

}  // namespace ndsim::advise

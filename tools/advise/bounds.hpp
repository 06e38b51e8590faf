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

// A rate of payload that cannot be exceeded, by a formula of docs/advise.md.
struct Bound {
    std::string what;
    std::uint64_t rate = 0;  // bits per second
};

// What no depth changes, for all generators of a host together: the wire, the message rates of queue pairs and NIC, and
// what their cores have to do for each message.
[[nodiscard]] std::vector<Bound> fixed_bounds(const Scenario& scenario);

// How long a message takes that is alone, and how long a Read is outstanding if no other one is. 0: nobody knows.
struct Alone {
    Picoseconds message{};
    Picoseconds read{};
};

// How long each of so many messages on each of the generator's queue pairs is under way, at that rate.
[[nodiscard]] Picoseconds time_under_way(const Traffic& traffic, std::uint64_t depth, std::uint64_t goodput);

// Little's law: what a depth lets under way, each for as long as one that is alone, is no faster. None of a dimension
// that does not count messages, or if nobody knows how long that is.
[[nodiscard]] std::optional<std::uint64_t> little_bound(const Dimension& dimension, std::uint64_t depth,
                                                        const Alone& alone);

// Whether that is a bound for this curve. A busy queue may serve a message faster than one that is alone gets through,
// as WQEs are fetched ahead and polls shared; then it is none.
[[nodiscard]] bool is_bounded(const Dimension& dimension, const std::map<std::uint64_t, Trial>& steps,
                              const Alone& alone);

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/base/units.hpp"

namespace ndsim::advise {

// A lane, l0_A_to_B, and the generators whose payload takes it.
struct LaneShare {
    const Traffic* generator = nullptr;
    Bandwidth rate;  // of its payload if its whole messages filled the lane back to back
};
// A lane, l0_A_to_B, and the generators whose payload takes it.
struct SharedLane {
    std::string name;
    std::vector<LaneShare> shares;
};

// For each generator the lane on its payload's way that gives it least, if generators share lanes equally; among equal
// lanes the one nearest to the destination. A Read's payload goes from the peer to the reader. In the order of the
// names.
[[nodiscard]] std::vector<SharedLane> lanes_that_count(const Scenario& scenario);

// The lane that counts for a generator.
[[nodiscard]] std::string payload_lane(const Scenario& scenario, const Traffic& traffic);

// The payload rate on that lane: 100 % of line rate. At a path MTU of 4096 a Send of 64 KiB gets 98.04 % of the
// signalling rate (timing.md F4).
[[nodiscard]] Bandwidth payload_rate(const Scenario& scenario, const Traffic& traffic);

// The path MTU of a generator's queue pairs: the smaller one of its hosts.
[[nodiscard]] std::uint32_t path_mtu(const Scenario& scenario, const Traffic& traffic);

}  // namespace ndsim::advise

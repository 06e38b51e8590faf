// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/base/units.hpp"

namespace ndsim::advise {

// A lane, l0_A_to_B, and the generators whose payload takes it.
struct LaneShare {
    const Traffic* generator = nullptr;
    Bandwidth rate;  // of its payload if its messages, whole, filled the lane one behind the other
};
struct SharedLane {
    std::string name;
    std::vector<LaneShare> shares;
};

// Of each generator the lane on the way of its payload that gives it least, if all that share a lane get the same of
// it; of lanes that give as little the one nearest to where the payload goes. A Read's payload goes from the peer to
// the reader. In the order of the names.
[[nodiscard]] std::vector<SharedLane> lanes_that_count(const Scenario& scenario);

// The lane that counts for a generator.
[[nodiscard]] std::string payload_lane(const Scenario& scenario, const Traffic& traffic);

// The rate of its payload on that lane: what 100 % of line rate is. At a path MTU of 4096 a Send of 64 KiB gets 98.04 %
// of the signalling rate (timing.md F4).
[[nodiscard]] Bandwidth payload_rate(const Scenario& scenario, const Traffic& traffic);

}  // namespace ndsim::advise

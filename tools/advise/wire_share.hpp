// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"
#include "sim/base/units.hpp"

namespace ndsim::advise {

// The rate of a generator's payload if its messages, whole, filled the wire one behind the other: what 100 % of line
// rate is. At a path MTU of 4096 a Send of 64 KiB gets 98.04 % of the signalling rate (timing.md F4).
[[nodiscard]] Bandwidth payload_rate(const Scenario& scenario, const Traffic& traffic);

// The lane that its payload takes, l0_A_to_B: a Read's goes from the peer to the reader.
[[nodiscard]] std::string payload_lane(const Scenario& scenario, const Traffic& traffic);

}  // namespace ndsim::advise

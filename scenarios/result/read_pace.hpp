// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "scenarios/result/traffic_ends.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// The least time from one Read of a queue pair to the next at the host that is read, and the parameter that sets it.
struct ReadPace {
    Picoseconds time;
    std::string_view parameter;
};

// The peer starts a Read read_interval after the last one, and read_gap after the responses to it. A gap that is small
// beside the responses sets no pace: their lane does.
[[nodiscard]] ReadPace read_pace(const Scenario& scenario, const Traffic& traffic, const TrafficEnds& ends);

}  // namespace ndsim

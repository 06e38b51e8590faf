// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "scenarios/forecast/sighting.hpp"
#include "scenarios/format/scenario.hpp"

namespace ndsim::forecast {

// One of the runs that a forecast tries.
struct Trial {
    unsigned number = 0;         // 0: with the scenario's own timing
    std::set<std::string> deep;  // completion queues, "B.few", with room for everything
};

// Runs the programs of a scenario in this process, which can do so once, and writes nothing. Generators are left out.
[[nodiscard]] Story run_trial(const Scenario& scenario, const Trial& trial);

}  // namespace ndsim::forecast

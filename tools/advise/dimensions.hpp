// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/free_settings.hpp"
#include "tools/advise/scope.hpp"

namespace ndsim::advise {

// The consequences of the targets for a search.
struct Wanted {
    bool fills = false;     // windows not set by the user follow the send queues, so that there is always enough to do
    bool rates = true;      // a target is a rate
    bool speed = true;      // otherwise only depths that may break something are searched: others only make a run slow
    bool receives = false;  // every message must find a receive
};

// The parameters that a search changes, and those that it leaves alone.
struct Dimensions {
    std::vector<Dimension> all;
    std::vector<std::string> overrides;  // for every point: windows as large as queues that are held
    std::vector<HeldDepth> held;

    // Whether some window follows its send queue.
    [[nodiscard]] bool windows_follow() const;
};

// The depths on the way of the scenario's generators: send and receive queues, completion queues, outstanding Reads,
// read tags, WQEs fetched ahead; and others named for the search. UsageError if a name is no depth.
[[nodiscard]] Dimensions dimensions_of(const Scenario& scenario, const Wanted& wanted, const Scope& scope = {});

}  // namespace ndsim::advise

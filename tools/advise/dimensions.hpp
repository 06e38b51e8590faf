// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/free_settings.hpp"
#include "tools/advise/scope.hpp"

namespace ndsim::advise {

// What the targets ask of a search.
struct Wanted {
    bool fills = false;     // windows that nobody set follow the send queues, so that there is always enough to do
    bool rates = true;      // one of them is a rate
    bool speed = true;      // else only what breaks is searched: less of anything else lets a run be slow, and hold
    bool receives = false;  // every message is to find a receive
};

// What a search changes, and what it leaves as it is.
struct Dimensions {
    std::vector<Dimension> all;
    std::vector<std::string> overrides;  // of every point: windows as large as queues that are held
    std::vector<HeldDepth> held;

    // Whether some window is as large as its send queue.
    [[nodiscard]] bool windows_follow() const;
};

// The depths on the way of the scenario's generators: send and receive queues, completion queues, outstanding Reads,
// read tags, WQEs fetched ahead; and whatever else is named to be searched. UsageError if that is no depth.
[[nodiscard]] Dimensions dimensions_of(const Scenario& scenario, const Wanted& wanted, const Scope& scope = {});

}  // namespace ndsim::advise

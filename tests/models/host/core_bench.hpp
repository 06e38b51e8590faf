// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/core.hpp"
#include "tests/support/bench.hpp"

namespace ndsim::test {

// A core with room for two stores, and when its program was where it notes that.
struct CoreBench : Bench {
    RunningCore running;
    Core core{"core", timeline, running, 2};
    std::vector<Picoseconds> seen;

    void note() { seen.push_back(now()); }
};

}  // namespace ndsim::test

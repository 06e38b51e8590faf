// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/core.hpp"
#include "tests/support/bench.hpp"

namespace ndsim::test {

// A core with room for two stores, and when its program was where it notes that.
struct CoreBench : Bench {
    explicit CoreBench(std::uint32_t store_buffer = 2) : core("core", timeline, running, store_buffer) {}

    RunningCore running;
    Core core;
    std::vector<Picoseconds> seen;

    void note() { seen.push_back(now()); }
};

}  // namespace ndsim::test

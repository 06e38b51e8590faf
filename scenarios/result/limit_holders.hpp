// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/result/limits.hpp"
#include "sim/kernel/pool_facts.hpp"

namespace ndsim {

struct FoundLimit {
    Limit limit;
    const PoolFacts* pool = nullptr;  // if it is one that is full, or is waited for
};

// A pool that holds a message while that waits for another pool is full because of that one. Counts such pools as far
// as what they hold waited for none of the pools inside, and leaves out what then took less than 1 % of the time.
void discount_holders(std::vector<FoundLimit>& limits);

}  // namespace ndsim

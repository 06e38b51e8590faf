// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/run_result.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

[[nodiscard]] PoolUse use_of(const Unit& unit, const Pool& pool);
// Queues that the scenario declares have a depth of their own.
void name_own_depths(const Scenario& scenario, std::vector<PoolUse>& pools);
// The figures of a pool up to its last settle(). InvariantError if they are inconsistent.
void add_pool(Metrics& metrics, const Unit& unit, const Pool& pool);

}  // namespace ndsim

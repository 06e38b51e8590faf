// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/run_result.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

[[nodiscard]] PoolUse use_of(const Unit& unit, const Pool& pool);
// The figures of a pool up to its last settle(). InvariantError if they are inconsistent.
void add_pool(Metrics& metrics, const Unit& unit, const Pool& pool);

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/run_result.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// The times of an engine of the unit. InvariantError if they do not add up to the measured time.
[[nodiscard]] EngineUse use_of(const Unit& unit, const EngineTimes& engine, Picoseconds measured);
// The same as metrics: idle, busy, blocked, and each possible wait; and the unit's own statistics of them.
void add_engine(Metrics& metrics, const Unit& unit, const EngineTimes& engine, const EngineUse& use);

}  // namespace ndsim

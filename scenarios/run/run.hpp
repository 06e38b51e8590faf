// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"
#include "scenarios/result/run_result.hpp"
#include "scenarios/run/run_options.hpp"

// The process of the program that uses this library starts here; SystemC has `main`.
extern "C" int sc_main(int argc, char* argv[]);

namespace ndsim {

// The metrics that runs of a scenario may have, C++ programs included. It makes the hardware and runs nothing; as with
// a run, SystemC allows it once in the life of a process.
[[nodiscard]] Metrics metrics_of_any_run(const Scenario& scenario);

// Runs a scenario in this process. SystemC allows one run in the life of a process: std::logic_error for a second.
// ConfigError, without a run, if the scenario names an unknown metric.
[[nodiscard]] RunResult run_scenario(const Scenario& scenario, const RunOptions& options);

}  // namespace ndsim

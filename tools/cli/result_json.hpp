// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "scenarios/engine/run.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

// What result.json holds. It depends on the scenario alone: no wall time, no path, no name of a machine.
[[nodiscard]] nlohmann::ordered_json result_json(const Loaded& loaded, const RunResult& result);

[[nodiscard]] std::string_view word(RunOutcome outcome);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "scenarios/run/run.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

// The contents of result.json. They depend on the scenario alone: no wall time, no path, no machine's name.
[[nodiscard]] nlohmann::ordered_json result_json(const Loaded& loaded, const RunResult& result);

[[nodiscard]] std::string_view word(RunOutcome outcome);
// The unit in which a metric's value is an integer: "ps".
[[nodiscard]] std::string_view unit_of(const Metric& metric);
// The quantity of a metric with this unit; a count has none.
[[nodiscard]] std::optional<Quantity> quantity_of(std::string_view unit);

}  // namespace ndsim::cli

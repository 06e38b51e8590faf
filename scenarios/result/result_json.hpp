// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result/run_result.hpp"
#include "scenarios/result/settings.hpp"

namespace ndsim {

// The sources of a run's scenario.
struct ScenarioSources {
    std::span<const std::string> overrides;
    const JsonNode& written;  // the file's tree with overrides and implied parts
    const std::vector<Setting>& settings;
};
// The contents of result.json. They depend on the scenario alone: no wall time, no path, no machine's name.
[[nodiscard]] nlohmann::ordered_json result_json(const Scenario& scenario, const ScenarioSources& sources,
                                                 const RunResult& result);

[[nodiscard]] std::string_view word(RunOutcome outcome);
// The unit in which a metric's value is an integer: "ps".
[[nodiscard]] std::string_view unit_of(const Metric& metric);
// The quantity of a metric with this unit; a count has none.
[[nodiscard]] std::optional<Quantity> quantity_of(std::string_view unit);

}  // namespace ndsim

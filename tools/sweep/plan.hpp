// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/format/axis.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::sweep {

// Plan: what a sweep is to run. It says all that the results need to be understood, as sweep.json holds it.
struct Plan {
    std::string file;  // the scenario's, without its folder
    std::string about;
    std::vector<std::string> overrides;  // of all points
    std::vector<Axis> axes;
    nlohmann::ordered_json written;  // the scenario after these overrides
    std::vector<std::string> keys;   // of the points

    [[nodiscard]] std::string name() const;  // the file's, without its extension
    [[nodiscard]] std::size_t points() const { return keys.size(); }
    // All overrides of a point.
    [[nodiscard]] std::vector<std::string> overrides_of(std::size_t point) const;
};

// Loads every point: ConfigError with everything that is wrong, as far as it differs. `vary` are axes of the command
// line; without any, the scenario's own count.
[[nodiscard]] Plan plan_of(const cli::ScenarioArguments& arguments, const std::vector<std::string>& vary,
                           const std::function<void(std::size_t done, std::size_t of)>& on_load);

// Whether the metrics exist that the scenario names, at each point, and those that are asked for, at one at least:
// ConfigError and UsageError. `file` is the scenario's.
void check_metrics(const Plan& plan, const cli::ScenarioArguments& arguments, const std::vector<std::string>& asked,
                   unsigned at_once);

[[nodiscard]] nlohmann::ordered_json to_json(const Plan& plan);
// What to_json() made; std::exception for anything else.
[[nodiscard]] Plan plan_from(const nlohmann::ordered_json& json);

}  // namespace ndsim::sweep

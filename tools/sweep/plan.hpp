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

// Plan: the runs of a sweep. It has all that is needed to understand the results, in the form of sweep.json.
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

// Loads every point: ConfigError with all different problems. `vary` are axes of the command line; without any, the
// scenario's own count.
[[nodiscard]] Plan plan_of(const cli::ScenarioArguments& arguments, const std::vector<std::string>& vary,
                           const std::function<void(std::size_t done, std::size_t of)>& on_load);

// Checks that the metrics named by the scenario exist at each point, and requested ones at one point at least:
// ConfigError and UsageError. `file` is the scenario's.
void check_metrics(const Plan& plan, const cli::ScenarioArguments& arguments, const std::vector<std::string>& asked,
                   unsigned at_once);

[[nodiscard]] nlohmann::ordered_json to_json(const Plan& plan);
// Reads the output of to_json(); std::exception for anything else.
[[nodiscard]] Plan plan_from(const nlohmann::ordered_json& json);

}  // namespace ndsim::sweep

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/forecast/forecast.hpp"
#include "tools/cli/command.hpp"

namespace ndsim::cli {

// Something foreseen at points of a sweep, but not of the scenario as it stands.
struct ForeseenAtPoints {
    Foreseen foreseen;                   // at the first of these points
    std::vector<std::string> overrides;  // of that point: path=value
    std::uint64_t points = 0;
};
struct SweepForecast {
    std::uint64_t points = 0;   // of the whole sweep; 0: there is none
    std::uint64_t checked = 0;  // of these, from the first one on
    std::vector<ForeseenAtPoints> foreseen;
};

// ConfigError if one of these points cannot run. `base` is what is foreseen without the sweep.
[[nodiscard]] SweepForecast foresee_points(const ScenarioArguments& arguments, const Scenario& scenario,
                                           const Forecast& base);

}  // namespace ndsim::cli

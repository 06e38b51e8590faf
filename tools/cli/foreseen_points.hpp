// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/forecast/forecast.hpp"
#include "tools/cli/command.hpp"

namespace ndsim::cli {

// A finding at points of a sweep that the scenario itself does not have.
struct ForeseenAtPoints {
    Foreseen foreseen;                   // at the first of these points
    std::vector<std::string> overrides;  // of the first of these points: path=value
    std::uint64_t points = 0;
};
// The findings at the points of a sweep.
struct SweepForecast {
    std::uint64_t points = 0;   // of the whole sweep; 0: no sweep
    std::uint64_t checked = 0;  // number of first points checked
    std::vector<ForeseenAtPoints> foreseen;
};

// ConfigError if one of these points cannot run. `base` are the findings without the sweep.
[[nodiscard]] SweepForecast foresee_points(const ScenarioArguments& arguments, const Scenario& scenario,
                                           const Forecast& base);

}  // namespace ndsim::cli

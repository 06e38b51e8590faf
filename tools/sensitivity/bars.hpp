// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command.hpp"
#include "tools/sensitivity/study.hpp"

namespace ndsim::sensitivity {

// The figures with each of these sets of overrides, and their ranges over the study's estimates. The points' values
// stay empty.
[[nodiscard]] std::vector<BarPoint> bars_at(const std::vector<std::vector<std::string>>& overrides, const Study& study,
                                            Runs& runs);

// Adds the points of a sweep over these axes, "nic.sq.depth=8,16", to the study. ConfigError if they are wrong.
void add_sweep(Study& study, const cli::ScenarioArguments& arguments, const std::vector<std::string>& vary, Runs& runs);

}  // namespace ndsim::sensitivity

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tools/advise/advice.hpp"

namespace ndsim::advise {

// Estimates that bind at a depth one less than needed, and the depths needed at the ends of their ranges. `arguments`
// are those of the scenario that the points run.
[[nodiscard]] std::vector<Assumed> assumed_in(const Advice& advice, const cli::ScenarioArguments& arguments,
                                              Points& points);

}  // namespace ndsim::advise

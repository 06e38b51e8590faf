// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/sensitivity/study.hpp"

namespace ndsim::sensitivity {

// Adds the points of a sweep over these axes, "nic.sq.depth=8,16", to the study. Each point gets a study of its own,
// of the estimates: those that matter differ from point to point. ConfigError if the axes are wrong.
void add_sweep(Study& study, const std::vector<std::string>& vary, Runs& runs);

}  // namespace ndsim::sensitivity

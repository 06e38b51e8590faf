// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// The work and the waits of each engine that did anything; of many, those of each kind that rested least. The shares of
// a line add up to 100 %.
[[nodiscard]] std::string engines_text(const std::vector<EngineUse>& engines, const Paint& paint);

}  // namespace ndsim::cli

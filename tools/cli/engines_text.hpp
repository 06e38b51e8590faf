// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// What each engine that did something did, and what it waited for. The shares of a line add up to 100 %.
[[nodiscard]] std::string engines_text(const std::vector<EngineUse>& engines, const Paint& paint);

}  // namespace ndsim::cli

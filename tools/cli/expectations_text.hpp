// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// Which expectations were met; those that were not, with what was found instead.
[[nodiscard]] std::string expectations_text(const Scenario& scenario, const RunResult& result, const Paint& paint);
// Only those that were not.
[[nodiscard]] std::string unmet_text(const Scenario& scenario, const RunResult& result, const Paint& paint);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// The expectations that were met, and the others with the facts.
[[nodiscard]] std::string expectations_text(const Scenario& scenario, const RunResult& result, const Paint& paint);
// Only unmet ones.
[[nodiscard]] std::string unmet_text(const Scenario& scenario, const RunResult& result, const Paint& paint);

}  // namespace ndsim::cli

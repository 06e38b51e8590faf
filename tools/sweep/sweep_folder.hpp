// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/cli/run_folder.hpp"
#include "tools/sweep/plan.hpp"

namespace ndsim::sweep {

// cli::OutputError.
void write_plan(const cli::RunFolder& folder, const Plan& plan);
// The plan of the sweep in a folder; cli::UsageError if there is none.
[[nodiscard]] Plan read_plan(const std::string& folder);

}  // namespace ndsim::sweep

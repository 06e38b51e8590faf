// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/cli/run_folder.hpp"
#include "tools/sweep/plan.hpp"

namespace ndsim::sweep {

// A folder for the sweep: its plan is written, and results of an earlier one are gone, but not its journal.
// cli::OutputError.
[[nodiscard]] cli::RunFolder make_folder(const std::string& path, const Plan& plan);
// The plan of the sweep in a folder; cli::UsageError if there is none.
[[nodiscard]] Plan read_plan(const std::string& folder);

}  // namespace ndsim::sweep

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/cli/run_folder.hpp"
#include "tools/sweep/plan.hpp"

namespace ndsim::sweep {

// Makes the folder of a sweep: writes its plan and removes the results of an earlier one, but not its journal.
// cli::OutputError.
[[nodiscard]] cli::RunFolder make_folder(const std::string& path, const Plan& plan);
// The plan of the sweep in a folder; cli::UsageError if there is none.
[[nodiscard]] Plan read_plan(const std::string& folder);

}  // namespace ndsim::sweep

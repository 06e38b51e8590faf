// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// The page of two runs side by side: what was set differently, and what came of it. UsageError if a folder was not
// written by this version.
[[nodiscard]] std::string runs_page(const inspect::RecordedRun& first, const inspect::RecordedRun& second);

}  // namespace ndsim::report

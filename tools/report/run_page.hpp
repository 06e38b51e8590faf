// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"
#include "tools/report/ladder.hpp"

namespace ndsim::report {

// The page of a run. The same run makes the same bytes.
[[nodiscard]] std::string run_page(const inspect::RecordedRun& run, const LadderChoice& ladder);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// What stands above the chapters: the scenario, what it is about, how the run ended. HTML.
[[nodiscard]] std::string run_head(const inspect::RecordedRun& run);
// Rates, latencies, what bound the run, and its expectations. HTML.
[[nodiscard]] std::string run_summary(const inspect::RecordedRun& run);

}  // namespace ndsim::report

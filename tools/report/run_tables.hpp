// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// The head of the page: the scenario, its subject, how the run ended. HTML.
[[nodiscard]] std::string run_head(const inspect::RecordedRun& run);
// Rates, latencies, binding limits, and expectations. HTML.
[[nodiscard]] std::string run_summary(const inspect::RecordedRun& run);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/error_bars.hpp"

namespace ndsim::sensitivity {

// The error bars of each generator's rate, mean and 99th-percentile latency; without generators, of the run's end.
// Nothing of the runs is kept.
[[nodiscard]] cli::ErrorBars error_bars(const cli::ScenarioArguments& scenario, bool quiet);

}  // namespace ndsim::sensitivity

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/error_bars.hpp"

namespace ndsim::sensitivity {

// The error bars of the rate and of the mean and 99th-percentile latency of each generator; of a scenario without
// generators that of its end. Nothing of the runs is kept.
[[nodiscard]] cli::ErrorBars error_bars(const cli::ScenarioArguments& scenario, bool quiet);

}  // namespace ndsim::sensitivity

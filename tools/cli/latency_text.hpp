// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/measure/metrics.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// Every series of latencies of a run, or those with the longest means; series of single requests only if there is no
// traffic.
[[nodiscard]] std::string latency_text(const Loaded& loaded, const Metrics& metrics, const Paint& paint);

}  // namespace ndsim::cli

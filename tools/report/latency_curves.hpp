// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// The distribution of latencies: the share of requests of a kind that took no longer than each time. HTML.
[[nodiscard]] std::string latency_chapter(const inspect::RecordedRun& run);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// The distribution of latencies: which part of the requests of a kind took no longer than that. HTML.
[[nodiscard]] std::string latency_chapter(const inspect::RecordedRun& run);

}  // namespace ndsim::report

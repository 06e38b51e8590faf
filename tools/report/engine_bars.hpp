// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// The engines of a run, as it recorded them.
[[nodiscard]] std::vector<EngineUse> recorded_engines(const inspect::RecordedRun& run);

// The shares of time in which each engine worked and waited, and for what. HTML.
[[nodiscard]] std::string stall_chapter(const inspect::RecordedRun& run);

}  // namespace ndsim::report

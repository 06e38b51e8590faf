// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// The shares of time in which each engine worked and waited, and for what. HTML.
[[nodiscard]] std::string stall_chapter(const inspect::RecordedRun& run);

}  // namespace ndsim::report

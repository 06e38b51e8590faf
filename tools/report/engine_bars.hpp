// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// For which part of the time each engine worked, and for which it waited, and what for. HTML.
[[nodiscard]] std::string stall_chapter(const inspect::RecordedRun& run);

}  // namespace ndsim::report

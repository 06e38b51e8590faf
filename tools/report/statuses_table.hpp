// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// The statuses that software got, as `ndsim run` prints them. HTML, empty if there are none to show.
[[nodiscard]] std::string statuses_table(const inspect::RecordedRun& run);

}  // namespace ndsim::report

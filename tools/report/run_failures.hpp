// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// Connections that ended by an error. HTML, empty if there are none.
[[nodiscard]] std::string ended_connections_table(const inspect::RecordedRun& run);
// What the network has lost, what peers have refused for a time, and what hosts have sent again. HTML, empty if
// nothing.
[[nodiscard]] std::string recovery_table(const inspect::RecordedRun& run);

}  // namespace ndsim::report

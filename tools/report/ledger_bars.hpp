// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// Where the time of the mean request of each kind went: a bar for each account, one behind the other. HTML.
[[nodiscard]] std::string ledger_chapter(const inspect::RecordedRun& run);

}  // namespace ndsim::report

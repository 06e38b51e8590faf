// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// Where the mean request of each kind spent its time: a bar for each account, one behind the other. HTML.
[[nodiscard]] std::string ledger_chapter(const inspect::RecordedRun& run);

}  // namespace ndsim::report

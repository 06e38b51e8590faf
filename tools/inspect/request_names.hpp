// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/inspect/completions_file.hpp"
#include "tools/inspect/recorded_run.hpp"

namespace ndsim::inspect {

// Why the run has no request of that name, and the names that it has.
[[nodiscard]] std::string no_such_request(const RecordedRun& run, CompletionsFile& file, const std::string& asked);

}  // namespace ndsim::inspect

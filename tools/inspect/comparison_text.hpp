// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/cli/output.hpp"
#include "tools/inspect/comparison.hpp"

namespace ndsim::inspect {

// All differences, or the most important ones and the number of the others.
[[nodiscard]] std::string comparison_text(const RecordedRun& first, const RecordedRun& second,
                                          const Comparison& comparison, bool all, const cli::Paint& paint);
// Always all differences.
[[nodiscard]] nlohmann::ordered_json comparison_json(const RecordedRun& first, const RecordedRun& second,
                                                     const Comparison& comparison);

}  // namespace ndsim::inspect

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/cli/output.hpp"
#include "tools/inspect/comparison.hpp"

namespace ndsim::inspect {

// Where two runs part, in words.
[[nodiscard]] std::string parting_text(const RecordedRun& first, const RecordedRun& second,
                                       const Comparison& comparison, const cli::Paint& paint);
[[nodiscard]] nlohmann::ordered_json parting_json(const Parting& parting);

}  // namespace ndsim::inspect

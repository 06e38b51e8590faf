// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/cli/output.hpp"
#include "tools/sensitivity/study.hpp"

namespace ndsim::sensitivity {

// The study as tables, with a row for each parameter that matters.
[[nodiscard]] std::string study_text(const std::string& file, const Study& study, const cli::Paint& paint);

}  // namespace ndsim::sensitivity

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/advise/advice.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::advise {

// The depths to build, as a table, and the tries that they passed. The advice must have them.
[[nodiscard]] std::string build_text(const Advice& advice, const cli::Paint& paint);
// The parameters that stay as in the scenario; empty: none.
[[nodiscard]] std::string held_text(const Advice& advice);

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/advise/advice.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::advise {

// The depths to build, as a table, and what they were tried with. Advice has them.
[[nodiscard]] std::string build_text(const Advice& advice, const cli::Paint& paint);
// What stays as the scenario has it; empty: nothing.
[[nodiscard]] std::string held_text(const Advice& advice);

}  // namespace ndsim::advise

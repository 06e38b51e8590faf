// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/command.hpp"
#include "tools/cli/error_bars.hpp"

namespace ndsim::advise {

// Adds the sub-command with its options; `find_bars` serves --error-bars.
void add_advise(CLI::App& app, cli::Chosen& chosen, cli::FindErrorBars find_bars);

}  // namespace ndsim::advise

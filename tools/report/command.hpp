// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/command.hpp"

namespace ndsim::report {

// Adds the sub-command with its options.
void add_report(CLI::App& app, cli::Chosen& chosen);

}  // namespace ndsim::report

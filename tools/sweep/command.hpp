// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/command.hpp"

namespace ndsim::sweep {

// Each adds its sub-command with its options.
void add_sweep(CLI::App& app, cli::Chosen& chosen);
void add_collect(CLI::App& app, cli::Chosen& chosen);

}  // namespace ndsim::sweep

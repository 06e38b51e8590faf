// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/command.hpp"

namespace ndsim::inspect {

// Each adds its sub-command with its options.
void add_explain(CLI::App& app, cli::Chosen& chosen);
void add_compare(CLI::App& app, cli::Chosen& chosen);
void add_wave(CLI::App& app, cli::Chosen& chosen);

}  // namespace ndsim::inspect

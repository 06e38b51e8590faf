// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/command.hpp"

namespace ndsim::sensitivity {

// Adds the sub-command.
void add_sensitivity(CLI::App& app, cli::Chosen& chosen);

}  // namespace ndsim::sensitivity

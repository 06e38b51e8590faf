// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/command.hpp"

namespace ndsim::calibrate {

// Adds the sub-command.
void add_calibrate(CLI::App& app, cli::Chosen& chosen);

}  // namespace ndsim::calibrate

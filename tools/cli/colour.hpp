// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>

namespace ndsim::cli {

// Gives every command of `app` the option --color, which overrides the environment: CLICOLOR_FORCE and NO_COLOR, as
// https://bixense.com/clicolors and https://no-color.org describe them.
void add_colour_option(CLI::App& app);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/colour.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <string>

namespace ndsim::cli {

namespace {

// Sets the environment, so that started processes use the choice as well.
void choose(const std::string& when) {
    if (when == "always") {
        ::unsetenv("NO_COLOR");
        ::setenv("CLICOLOR_FORCE", "1", 1);
    } else if (when == "never") {
        ::setenv("NO_COLOR", "1", 1);
    }
}

}  // namespace

void add_colour_option(CLI::App& app) {
    app.add_option_function<std::string>("--color", choose,
                                         "Colours and bold letters: auto (on a terminal), always or never")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    for (CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
        add_colour_option(*command);
    }
}

}  // namespace ndsim::cli

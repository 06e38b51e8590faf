// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "tools/cli/loaded.hpp"
#include "tools/cli/programs.hpp"
#include "tools/cli/run_folder.hpp"

// What the sub-commands have in common that run a scenario.
namespace ndsim::cli {

struct RunArguments {
    ScenarioArguments scenario;
    std::string folder;
    std::string log_level = "warning";
    Recordings recordings;
    bool show_effect = false;
    bool json = false;
    bool quiet = false;
};
void add_run_arguments(CLI::App& command, RunArguments& arguments);

// Runs the scenario in this process, with these programs if there are any, writes its outputs and tells what came of
// it.
[[nodiscard]] ExitCode simulate_and_tell(const RunArguments& arguments, const Loaded& loaded, const RunFolder& folder,
                                         Programs* programs);
// The folder that the arguments name, or one named after the scenario.
[[nodiscard]] RunFolder folder_of(const RunArguments& arguments, const Loaded& loaded);

}  // namespace ndsim::cli

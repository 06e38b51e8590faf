// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "tools/cli/fresh_process.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/programs.hpp"
#include "tools/cli/run_folder.hpp"

// Shared by the sub-commands that run a scenario.
namespace ndsim::cli {

// The options of such a command.
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

// Additions to a run.
struct Besides {
    Programs* programs = nullptr;     // to run in it
    FreshProcess* further = nullptr;  // to run the scenario further when it has ended: packed FurtherRuns
};
// Runs the scenario in this process, writes its outputs and prints the outcome.
[[nodiscard]] ExitCode simulate_and_tell(const RunArguments& arguments, const Loaded& loaded, const RunFolder& folder,
                                         const Besides& besides);
// The folder that the arguments name, or one named after the scenario.
[[nodiscard]] RunFolder folder_of(const RunArguments& arguments, const Loaded& loaded);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <string_view>

#include "tools/cli/command.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/simulation.hpp"

namespace ndsim::cli {

namespace {

// The options of the command.
struct ExecArguments {
    RunArguments run;
    std::vector<std::string> programs;
};

// Programs end by themselves.
constexpr std::array<std::string_view, 1> kUnlessSaid{"limits.time=86400 s"};

// Checks the programs first: a folder is made, and cleared, only for a run that can begin.
ExitCode exec(const ExecArguments& arguments) {
    log_to_stderr(arguments.run.log_level);
    const Loaded loaded = load(arguments.run.scenario, arguments.run.recordings, kUnlessSaid);
    Programs programs(arguments.programs, loaded.scenario);
    return simulate_and_tell(arguments.run, loaded, folder_of(arguments.run, loaded), {&programs});
}

}  // namespace

void add_exec(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("exec", "Run programs for Windows on the hosts of a scenario");
    const auto arguments = std::make_shared<ExecArguments>();
    add_run_arguments(command, arguments->run);
    command.add_option("--host", arguments->programs, "Program of a host: a shared object and its arguments")
        ->type_name("'HOST=FILE ARGUMENTS'")
        ->allow_extra_args(false)
        ->required();
    command.footer(
        "A program is linked with ndsim::program, see docs/windows-programs.md. Its output also goes to "
        "output-HOST.txt in\n"
        "the folder. Exit codes are those of \"ndsim run\"; 1 also if a program returns a code other than 0.\n\n"
        "Example: ndsim exec pair.json --host 'A=libserver.so -s' --host 'B=libclient.so 10.0.0.1'");
    command.callback([arguments, &chosen] {
        chosen = {[arguments] { return exec(*arguments); }, arguments->run.json};
    });
}

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "tools/cli/command.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/simulation.hpp"

namespace ndsim::cli {

namespace {

ExitCode run(const RunArguments& arguments) {
    log_to_stderr(arguments.log_level);
    const Loaded loaded = load(arguments.scenario, arguments.recordings);
    return simulate_and_tell(arguments, loaded, folder_of(arguments, loaded), nullptr);
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("run", "Run a scenario and show what came of it");
    const auto arguments = std::make_shared<RunArguments>();
    add_run_arguments(command, *arguments);
    command.footer(
        "Exit codes: 0 all expectations met, 1 not all of them, 2 usage, 3 scenario invalid, 4 mistake in ndsim,\n"
        "5 a limit was hit, 6 stalled, 7 an output could not be written, 130 interrupted.\n\n"
        "Example: ndsim run scenarios/library/stream.json --set nic.mtu=1024 --out out/mtu1024");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return run(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::cli

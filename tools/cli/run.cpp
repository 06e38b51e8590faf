// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include "tools/cli/command.hpp"
#include "tools/cli/fresh_process.hpp"
#include "tools/cli/further_runs.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/simulation.hpp"

namespace ndsim::cli {

namespace {

// The options of the command.
struct ArgumentsOfRun : RunArguments {
    bool prove_limits = false;
    bool error_bars = false;
};

// Proofs and error bars need a process that has not simulated, and come when the run itself is written.
ExitCode run(const ArgumentsOfRun& arguments, const ProveLimits& prove, const FindErrorBars& find_bars) {
    log_to_stderr(arguments.log_level);
    const Loaded loaded = load(arguments.scenario, arguments.recordings);
    const RunFolder folder = folder_of(arguments, loaded);
    std::optional<FreshProcess> further;
    if (arguments.prove_limits || arguments.error_bars) {
        further.emplace([&] {
            const bool quiet = arguments.quiet || arguments.json;
            FurtherRuns shown;
            if (arguments.prove_limits) {
                shown.proofs = prove(arguments.scenario, quiet);
            }
            if (arguments.error_bars) {
                shown.bars = find_bars(arguments.scenario, quiet);
            }
            return packed(shown);
        });
    }
    return simulate_and_tell(arguments, loaded, folder, {nullptr, further ? &*further : nullptr});
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen, ProveLimits prove, FindErrorBars find_bars) {
    CLI::App& command = *app.add_subcommand("run", "Run a scenario and show its result");
    const auto arguments = std::make_shared<ArgumentsOfRun>();
    add_run_arguments(command, *arguments);
    command.add_flag("--prove-limits", arguments->prove_limits,
                     "Raise each limit by half, in a run of its own, and show the gain");
    command.add_flag("--error-bars", arguments->error_bars,
                     "Show how far estimates may move rates and latencies; takes some hundred more runs");
    command.footer(
        "Exit codes: 0 all expectations met, 1 not all of them, 2 usage, 3 scenario invalid, 4 defect of ndsim,\n"
        "5 a limit was hit, 6 stalled, 7 an output could not be written, 130 interrupted.\n\n"
        "Example: ndsim run scenarios/library/stream.json --set nic.mtu=1024 --out out/mtu1024");
    command.callback([arguments, &chosen, prove = std::move(prove), find_bars = std::move(find_bars)] {
        chosen = {[arguments, prove, find_bars] { return run(*arguments, prove, find_bars); }, arguments->json};
    });
}

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "scenarios/run/child_processes.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/cli/run_folder.hpp"
#include "tools/sensitivity/bars.hpp"
#include "tools/sensitivity/study.hpp"
#include "tools/sensitivity/study_text.hpp"
#include "tools/sweep/journal.hpp"
#include "tools/sweep/known_metrics.hpp"

namespace ndsim::sensitivity {

namespace {

constexpr std::array<std::string_view, 2> kOutputs{"sensitivity.json", "report.html"};

// The options of the command.
struct SensitivityArguments {
    cli::ScenarioArguments scenario;
    std::vector<std::string> metrics;
    std::vector<std::string> vary;
    std::string folder;
    unsigned jobs = 0;  // 0: one per core
    bool json = false;
    bool quiet = false;
};

void tell_study(const SensitivityArguments& arguments, const Study& study, const cli::RunFolder& folder) {
    const nlohmann::ordered_json json = to_json(arguments.scenario.file, study);
    folder.write("sensitivity.json", cli::to_text(json));
    if (arguments.json) {
        nlohmann::ordered_json said{{"result", json}};
        said["result"]["folder"] = folder.path();
        cli::print_envelope(cli::ExitCode::success, said);
    } else if (!arguments.quiet) {
        cli::print(study_text(arguments.scenario.file, study, cli::Paint(stdout)));
        cli::print(fmt::format("\nAll of it: {}/sensitivity.json\n", folder.path()));
    }
}

cli::ExitCode run(const SensitivityArguments& arguments) {
    cli::log_to_stderr("warning");
    cli::catch_interrupts();
    const cli::Loaded base = cli::load(arguments.scenario);
    sweep::check_metrics(base.scenario, arguments.metrics);
    const cli::RunFolder folder(
        arguments.folder.empty() ? "out/" + cli::name_of(base.scenario) + "-sensitivity" : arguments.folder, kOutputs);
    sweep::Journal journal(folder.path(), sweep::Journal::Access::write);
    sweep::PointRunner runner(arguments.scenario, journal, arguments.jobs == 0 ? cores() : arguments.jobs);
    Study found;
    {
        cli::ProgressBar bar("sensitivity", !arguments.quiet && !arguments.json);
        const cli::ScenarioArguments scenario = cli::with_presets(arguments.scenario);
        Runs runs(scenario, runner, [&bar](const Progress& progress) { bar.show(progress); });
        found = study(arguments.metrics, runs);
        if (!arguments.vary.empty()) {
            add_sweep(found, arguments.vary, runs);
        }
    }
    tell_study(arguments, found, folder);
    return cli::ExitCode::success;
}

}  // namespace

void add_sensitivity(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command = *app.add_subcommand(
        "sensitivity", "Show which parameters a figure depends on, and how far estimates may move it");
    const auto arguments = std::make_shared<SensitivityArguments>();
    cli::add_scenario_arguments(command, arguments->scenario);
    cli::add_list(command, "--metric", arguments->metrics, "NAME",
                  "A figure of result.json, by its full name, such as traffic.t.latency.p99; may be given several "
                  "times (default: rate and mean latency of the first generator)");
    cli::add_list(command, "--vary", arguments->vary, "PATH=VALUES",
                  "Also show the figures along an axis, as a sweep does, and how far estimates may move each of "
                  "them; may be given several times");
    cli::add_folder_and_jobs(command, arguments->folder, "sensitivity", arguments->jobs, "Runs");
    command.add_flag("--json", arguments->json, "Print the result as JSON");
    command.add_flag("-q,--quiet", arguments->quiet, "No tables and no progress, only problems");
    command.footer(
        "Exit codes: 0 done, 2 usage, 3 scenario invalid, 7 an output could not be written, 130 interrupted.\n\n"
        "Example: ndsim sensitivity scenarios/library/ping-pong.json");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return run(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::sensitivity

// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "scenarios/format/text_file.hpp"
#include "scenarios/run/child_processes.hpp"
#include "tools/calibrate/calibration.hpp"
#include "tools/calibrate/calibration_text.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/cli/run_folder.hpp"
#include "tools/sweep/journal.hpp"

namespace ndsim::calibrate {

namespace {

constexpr std::array<std::string_view, 3> kOutputs{"calibration.json", "calibrated.json", "report.html"};

// The options of the command.
struct CalibrateArguments {
    Question question;
    std::string folder;
    unsigned jobs = 0;  // 0: one per core
    bool json = false;
    bool quiet = false;
};

void tell_calibration(const CalibrateArguments& arguments, const Question& question, const Calibration& calibration,
                      const cli::RunFolder& folder) {
    const nlohmann::ordered_json json = to_json(question, calibration);
    folder.write("calibration.json", cli::to_text(json));
    folder.write("calibrated.json", cli::to_text(preset_json(question, calibration)));
    if (arguments.json) {
        nlohmann::ordered_json said{{"result", json}};
        said["result"]["folder"] = folder.path();
        cli::print_envelope(cli::ExitCode::success, said);
    } else if (!arguments.quiet) {
        cli::print(calibration_text(question, calibration, cli::Paint(stdout)));
        cli::print(fmt::format("\nFor --preset: {}/calibrated.json\n", folder.path()));
    }
}

std::optional<Generator> first_generator(const Scenario& scenario) {
    if (scenario.traffic.empty()) {
        return std::nullopt;
    }
    return Generator{scenario.traffic.front().name, scenario.traffic.front().operation};
}

cli::ExitCode run(const CalibrateArguments& arguments) {
    cli::log_to_stderr("warning");
    cli::catch_interrupts();
    Question question = arguments.question;
    question.scenario = cli::with_presets(arguments.question.scenario);
    const cli::Loaded base = cli::load(question.scenario);
    question.measurements =
        read_measurements(question.measured, read_file(question.measured), first_generator(base.scenario));
    const cli::RunFolder folder(
        arguments.folder.empty() ? "out/" + cli::name_of(base.scenario) + "-calibration" : arguments.folder, kOutputs);
    sweep::Journal journal(folder.path(), sweep::Journal::Access::write);
    sweep::PointRunner runner(
        question.scenario, journal, arguments.jobs == 0 ? cores() : arguments.jobs,
        [&question](nlohmann::ordered_json& result) { keep_what_is_measured(question.measurements, result); });
    Calibration found;
    {
        cli::ProgressBar bar("calibrate", !arguments.quiet && !arguments.json);
        found = calibrate(question, runner, [&bar](const Progress& progress) { bar.show(progress); });
    }
    tell_calibration(arguments, question, found, folder);
    return cli::ExitCode::success;
}

}  // namespace

void add_calibrate(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command =
        *app.add_subcommand("calibrate", "Fit the estimates that matter to measurements, and write them as a preset");
    const auto arguments = std::make_shared<CalibrateArguments>();
    cli::add_scenario_arguments(command, arguments->question.scenario);
    command
        .add_option("MEASURED", arguments->question.measured,
                    "Measurements: CSV with a heading such as size,latency.p50 [us], or a table of perftest")
        ->required()
        ->option_text(" ")
        ->check(cli::not_empty());
    cli::add_list(command, "--fit", arguments->question.fitted, "PATH",
                  "Fit only this parameter; may be given several times (default: the estimates that change a measured "
                  "figure by a thousandth, 8 at most)");
    cli::add_list(command, "--keep", arguments->question.kept, "PATH",
                  "Leave this parameter as it is; may be given several times");
    cli::add_folder_and_jobs(command, arguments->folder, "calibration", arguments->jobs, "Runs");
    command.add_flag("--json", arguments->json, "Print the result as JSON");
    command.add_flag("-q,--quiet", arguments->quiet, "No tables and no progress, only problems");
    command.footer(
        "Exit codes: 0 done, 2 usage, 3 scenario or measurements invalid, 7 an output could not be written, 130 "
        "interrupted.\n\n"
        "Example: ndsim calibrate pair.json measured.csv");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return run(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::calibrate

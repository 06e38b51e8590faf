// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/run/child_processes.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/advise/advice.hpp"
#include "tools/advise/advice_text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/cli/run_folder.hpp"
#include "tools/sweep/journal.hpp"
#include "tools/sweep/known_metrics.hpp"

namespace ndsim::advise {

namespace {

constexpr std::array<std::string_view, 2> kOutputs{"advice.json", "report.html"};

// The options of the command.
struct AdviseArguments {
    cli::ScenarioArguments scenario;
    std::vector<std::string> targets;
    std::vector<std::string> held;
    std::vector<std::string> searched;
    std::vector<std::string> costs;
    std::uint64_t seeds = Tries{}.seeds;
    std::string jitter;
    std::string time;
    std::string folder;
    unsigned jobs = 0;  // 0: one per core
    bool error_bars = false;
    bool json = false;
    bool quiet = false;
};

// The error bars of the figures with the depths to build.
std::optional<cli::ErrorBars> bars_of(const AdviseArguments& arguments, const Question& question, const Advice& advice,
                                      const cli::FindErrorBars& find_bars) {
    if (!arguments.error_bars || !advice.build) {
        return std::nullopt;
    }
    return find_bars(question.scenario.with(advice.build->overrides), arguments.quiet || arguments.json);
}

std::vector<Target> targets_of(const AdviseArguments& arguments, const Scenario& scenario) {
    std::vector<Target> targets = arguments.targets.empty() ? scenario.target : std::vector<Target>{};
    Problems problems("--target");
    for (const std::string& text : arguments.targets) {
        auto parsed = parse_targets(text);
        if (parsed.value) {
            targets.insert(targets.end(), parsed.value->begin(), parsed.value->end());
        } else {
            problems.add({}, {}, parsed.error);
        }
    }
    problems.throw_if_any();
    if (scenario.traffic.empty()) {
        throw cli::UsageError(scenario.file +
                              " has no generator (\"traffic\"); depths are found for those, and not for host programs "
                              "(ndsim exec)");
    }
    if (targets.empty()) {
        throw cli::UsageError(scenario.file + " has no \"target\"; give one, such as --target '95 % of line rate'");
    }
    return targets;
}

// The folder of a run is no scenario, least of all if its hosts had programs of their own.
void refuse_run_folder(const std::string& folder) {
    std::ifstream file(folder + "/result.json");
    const nlohmann::json run = file ? nlohmann::json::parse(file, nullptr, false) : nlohmann::json();
    if (!run.is_object()) {
        return;
    }
    std::vector<std::string> hosts;
    const auto programs = run.find("programs");
    if (programs != run.end() && programs->is_object()) {
        for (const auto& [host, program] : programs->items()) {
            hosts.push_back(host);
        }
    }
    if (hosts.empty()) {
        throw cli::UsageError(folder +
                              " is the folder of a run; advice runs a scenario many times with other depths, so give "
                              "the scenario's file");
    }
    throw cli::UsageError(fmt::format(
        "{} is the folder of a run with host programs on {}; advice runs the generators of a scenario many times with "
        "other depths, and cannot run host programs again. Describe the load as \"traffic\" in a scenario, or run the "
        "programs with another depth (--set nic.sq.depth=64) and compare both folders with ndsim compare",
        folder, join(hosts, ", ")));
}

Picoseconds time_of(const std::string& option, const std::string& text) {
    const auto time = parse(Quantity::time, text);
    if (!time.value) {
        throw cli::UsageError(option + ": " + time.error);
    }
    return Picoseconds{static_cast<std::int64_t>(*time.value)};
}

// A time that cores may be late by.
Picoseconds jitter_of(const AdviseArguments& arguments) {
    const Picoseconds jitter = time_of("--jitter", arguments.jitter);
    try {
        (void)cli::load(arguments.scenario.and_also({"cpu.poll_jitter=" + arguments.jitter}));
    } catch (const ConfigError& error) {
        throw cli::UsageError("--jitter: " + error.problems().front().message);
    }
    return jitter;
}

// The words that decide what is found.
std::vector<std::string> command_of(const AdviseArguments& arguments) {
    std::vector<std::string> words{"ndsim", "advise",
                                   std::filesystem::path(arguments.scenario.file).filename().string()};
    const auto add_all = [&words](const std::string& option, const std::vector<std::string>& values) {
        for (const std::string& value : values) {
            words.insert(words.end(), {option, value});
        }
    };
    const auto add = [&add_all](const std::string& option, const std::string& value, const std::string& usual) {
        add_all(option, value == usual ? std::vector<std::string>{} : std::vector{value});
    };
    add_all("--preset", arguments.scenario.presets);
    add_all("--set", arguments.scenario.overrides);
    add_all("--target", arguments.targets);
    add_all("--hold", arguments.held);
    add_all("--search", arguments.searched);
    add_all("--cost", arguments.costs);
    add("--seeds", std::to_string(arguments.seeds), std::to_string(Tries{}.seeds));
    add("--jitter", arguments.jitter, {});
    add("--time", arguments.time, {});
    return words;
}

cli::ExitCode tell_advice(const AdviseArguments& arguments, const Question& question, const Scenario& scenario,
                          const Advice& advice, const std::optional<cli::ErrorBars>& bars,
                          const cli::RunFolder& folder) {
    nlohmann::ordered_json json = advice_json(question, scenario, advice);
    if (bars) {
        json["error_bars"] = cli::error_bars_json(*bars);
    }
    folder.write("advice.json", cli::to_text(json));
    const bool reached = advice.build.has_value();
    cli::Failure failure{cli::ExitCode::success, ""};
    if (!reached) {
        failure = {cli::ExitCode::expectation_failed, why_not(advice)};
    } else if (bars && bars->interrupted) {
        failure = {cli::ExitCode::interrupted, "interrupted in the runs for error bars; the advice is complete"};
    }
    const cli::ExitCode exit = failure.exit;
    if (arguments.json) {
        nlohmann::ordered_json said{{"result", json}};
        said["result"]["folder"] = folder.path();
        if (!failure.message.empty()) {
            said["error"] = failure.message;
        }
        cli::print_envelope(exit, said);
        return exit;
    }
    if (!arguments.quiet) {
        cli::print(advice_text(question, scenario, advice, cli::Paint(stdout)));
        if (bars) {
            cli::print(cli::error_bars_text(*bars, cli::Paint(stdout)));
        }
        cli::print(fmt::format("\nAll of it, and every curve: {}/advice.json\n", folder.path()));
    }
    if (!failure.message.empty()) {
        cli::tell(failure, false);
    }
    return exit;
}

cli::ExitCode run(const AdviseArguments& arguments, const cli::FindErrorBars& find_bars) {
    cli::log_to_stderr("warning");
    cli::catch_interrupts();
    if (!arguments.scenario.text) {
        refuse_run_folder(arguments.scenario.file);
    }
    cli::Loaded base = cli::load(arguments.scenario);
    std::vector<Setting> settings = base.settings();
    base.scenario.target = targets_of(arguments, base.scenario);
    sweep::check_metrics(base.scenario, {});
    Question question{.scenario = cli::with_presets(arguments.scenario),
                      .targets = base.scenario.target,
                      .held = arguments.held,
                      .searched = arguments.searched,
                      .costs = arguments.costs,
                      .tries = {},
                      .time = {},
                      .command = command_of(arguments),
                      .settings = std::move(settings)};
    question.tries.seeds = arguments.seeds;
    if (!arguments.jitter.empty()) {
        question.tries.jitter = jitter_of(arguments);
    }
    if (!arguments.time.empty()) {
        question.time = std::chrono::ceil<std::chrono::seconds>(time_of("--time", arguments.time));
    }
    const cli::RunFolder folder(
        arguments.folder.empty() ? "out/" + cli::name_of(base.scenario) + "-advice" : arguments.folder, kOutputs);
    sweep::Journal journal(folder.path(), sweep::Journal::Access::write);
    sweep::PointRunner runner(arguments.scenario, journal, arguments.jobs == 0 ? cores() : arguments.jobs);
    Advice advice;
    {
        cli::ProgressBar bar("advise", !arguments.quiet && !arguments.json);
        advice = advise(question, runner, [&bar](const Progress& progress) { bar.show(progress); });
    }
    const std::optional<cli::ErrorBars> bars = bars_of(arguments, question, advice, find_bars);
    return tell_advice(arguments, question, base.scenario, advice, bars, folder);
}

}  // namespace

void add_advise(CLI::App& app, cli::Chosen& chosen, cli::FindErrorBars find_bars) {
    CLI::App& command = *app.add_subcommand("advise", "Find the smallest depths that meet a target, with evidence");
    const auto arguments = std::make_shared<AdviseArguments>();
    cli::add_scenario_arguments(command, arguments->scenario);
    cli::add_list(command, "--target", arguments->targets, "TEXT",
                  "A target to reach, such as '95 % of line rate', 'p99 < 5 us', 'no overflow', 'no RNR'; may be "
                  "given several times (default: the file's \"target\")");
    cli::add_list(command, "--hold", arguments->held, "PATH[=VALUE]",
                  "A depth or window to hold at its value, such as nic.sq.depth, or at the value given here, such as "
                  "nic.sq.depth=64; may be given several times. Those that FILE or --set sets are held anyway");
    cli::add_list(command, "--search", arguments->searched, "PATH",
                  "A depth to search although FILE sets it, or one that is not searched by default, such as "
                  "nic.rq.depth, traffic.t.window, nic.rq_fetch_batch; may be given several times");
    cli::add_list(command, "--cost", arguments->costs, "PATH=NUMBER",
                  "Cost of raising a depth by one, in any unit, such as pcie.tags=512; the cheapest depths come "
                  "first (default: memory in the NIC); may be given several times");
    command.add_option("--seeds", arguments->seeds, "Seeds that depths are tried with besides FILE's own (default: 5)")
        ->type_name("N")
        ->check(CLI::Range(0U, 1000U));
    command
        .add_option("--jitter", arguments->jitter,
                    "Mean delay of polls and posts of receives in these tries, on hosts that set none (default: 50 ns)")
        ->type_name("TIME");
    command
        .add_option("--time", arguments->time,
                    "How long the search may take, such as '60 s'; the depths found by then are printed")
        ->type_name("TIME");
    cli::add_folder_and_jobs(command, arguments->folder, "advice", arguments->jobs, "Points that run");
    command.add_flag(
        "--error-bars", arguments->error_bars,
        "Show how far estimates may move rates and latencies with these depths; takes some hundred more runs");
    command.add_flag("--json", arguments->json, "Print the result as JSON");
    command.add_flag("-q,--quiet", arguments->quiet, "No tables and no progress, only problems");
    command.footer(
        "Exit codes: 0 depths found, 1 no depths are known to be enough, 2 usage, 3 scenario or target invalid, 7 an "
        "output\n"
        "could not be written, 130 interrupted.\n\n"
        "Example: ndsim advise scenarios/library/stream.json --target '95 % of line rate'");
    command.callback([arguments, &chosen, find_bars = std::move(find_bars)] {
        chosen = {[arguments, find_bars] { return run(*arguments, find_bars); }, arguments->json};
    });
}

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/run.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/busy.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/effects.hpp"
#include "tools/cli/expectations_text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/cli/result_json.hpp"
#include "tools/cli/result_text.hpp"
#include "tools/cli/run_folder.hpp"

namespace ndsim::cli {

namespace {

struct RunArguments {
    ScenarioArguments scenario;
    std::string folder;
    std::string log_level = "warning";
    Recordings recordings;
    bool show_effect = false;
    bool json = false;
    bool quiet = false;
};

// What the end of a run means for the command's; `why` is what to tell the user about it.
struct Ending {
    ExitCode exit = ExitCode::success;
    std::string why;
};

// The outputs that ended before the run, as they came to their limits of size.
std::vector<std::string> cut_outputs(const RunResult& result) {
    std::vector<std::string> cut;
    const auto add = [&cut](std::string_view file, std::string_view key, std::optional<Picoseconds> at) {
        if (at) {
            cut.push_back(fmt::format("{} came to its limit of size (outputs.{}.max_size) and ends at {}", file, key,
                                      ndsim::to_text(*at)));
        }
    };
    add("waves.vcd", "waves", result.waves_cut_at);
    add("packets.pcapng", "packets", result.packets_cut_at);
    return cut;
}

Ending ending_of(const RunResult& result) {
    if (result.outcome == RunOutcome::interrupted && interrupted()) {
        return {ExitCode::interrupted, fmt::format("interrupted at {}; the outputs hold what happened until then",
                                                   ndsim::to_text(result.ended))};
    }
    if (!result.unwritten.empty()) {
        return {ExitCode::output_unwritten,
                fmt::format("an output could not be written: {}", fmt::join(result.unwritten, "; "))};
    }
    if (result.outcome == RunOutcome::stalled) {
        return {ExitCode::stalled,
                fmt::format("stalled at {}: nothing can happen any more, but somebody still waits: {}",
                            ndsim::to_text(result.ended), result.why)};
    }
    if (result.outcome != RunOutcome::finished) {
        return {ExitCode::limit_hit, "stopped at a limit: " + result.why};
    }
    const auto failed = std::count_if(result.verdicts.begin(), result.verdicts.end(),
                                      [](const Verdict& verdict) { return !verdict.met; });
    if (failed > 0) {
        return {ExitCode::expectation_failed, fmt::format("{} of {} expectations {} not met", failed,
                                                          result.verdicts.size(), failed == 1 ? "was" : "were")};
    }
    if (const auto cut = cut_outputs(result); !cut.empty()) {
        return {ExitCode::limit_hit, fmt::format("{}; the run went on to its end", fmt::join(cut, "; "))};
    }
    return {};
}

nlohmann::ordered_json effects_json(const std::vector<Setting>& settings, const Metrics& metrics) {
    nlohmann::ordered_json without = nlohmann::ordered_json::object();
    for (const NoEffect& each : without_effect(settings, metrics)) {
        without[each.path] = {{"never_read", each.effect == Effect::never_read}, {"why", each.why}};
    }
    nlohmann::ordered_json busy = nlohmann::ordered_json::object();
    for (const Busy& each : busy_shares(settings, metrics)) {
        busy[each.what] = static_cast<double>(each.per_mille) / 10;
    }
    return {{"without_effect", std::move(without)}, {"busy_percent", std::move(busy)}};
}

RunResult simulate(const Loaded& loaded, const RunFolder& folder, bool quiet) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    ProgressBar bar(name_of(loaded.scenario), !quiet);
    RunOptions options;
    options.folder = folder.path();
    options.log = spdlog::default_logger();
    options.on_progress = [&](const Progress& progress) { bar.show(progress); };
    options.interrupted = [] { return interrupted(); };
    catch_interrupts();
    RunResult result;
    try {
        result = run_scenario(loaded.scenario, options);
    } catch (const std::exception&) {
        spdlog::error("the run broke off; what it had recorded is in {}", folder.path());
        throw;
    }
    const std::chrono::duration<double> took = Clock::now() - begun;
    spdlog::info("simulated {} in {:.2f} s: {} completions, {} work items, {} activations of the kernel",
                 ndsim::to_text(result.ended), took.count(), result.completions, result.items, result.activations);
    return result;
}

void write_result(const RunFolder& folder, const nlohmann::ordered_json& json, RunResult& result) {
    try {
        folder.write("result.json", to_text(json));
    } catch (const OutputError& error) {
        result.unwritten.emplace_back(error.what());
    }
}

ExitCode run(const RunArguments& arguments) {
    log_to_stderr(arguments.log_level);
    const Loaded loaded = load(arguments.scenario, arguments.recordings);
    const RunFolder folder(arguments.folder.empty() ? "out/" + name_of(loaded.scenario) : arguments.folder);
    spdlog::info("running {}, outputs go to {}", loaded.scenario.file, folder.path());

    RunResult result = simulate(loaded, folder, arguments.quiet);
    nlohmann::ordered_json json = result_json(loaded, result);
    write_result(folder, json, result);
    const Ending ending = ending_of(result);
    if (arguments.json) {
        json["folder"] = folder.path();
        json["unwritten"] = result.unwritten;
        if (arguments.show_effect) {
            json.update(effects_json(loaded.settings, result.metrics));
        }
        json["kernel"] = {{"items", result.items}, {"activations", result.activations}};
        nlohmann::ordered_json said{{"result", std::move(json)}};
        if (!ending.why.empty()) {
            said["error"] = ending.why;
        }
        print_envelope(ending.exit, said);
        return ending.exit;
    }
    if (arguments.quiet) {
        fmt::print(stderr, "{}", unmet_text(loaded.scenario, result, Paint(stderr)));
    } else {
        print(result_text(loaded, result, folder.path(), Paint(stdout)));
        if (arguments.show_effect) {
            print(effects_text(loaded.settings, result.metrics, Paint(stdout)));
        }
    }
    if (!ending.why.empty()) {
        tell({ending.exit, ending.why}, false);
    }
    return ending.exit;
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("run", "Run a scenario and show what came of it");
    const auto arguments = std::make_shared<RunArguments>();
    add_scenario_arguments(command, arguments->scenario);
    command.add_option("--out", arguments->folder, "Folder for the outputs (default: out/<name of the file>)")
        ->type_name("DIR")
        ->check(not_empty());
    command.add_flag_callback(
        "--waves", [arguments] { arguments->recordings.waves = true; }, "Record a waveform, whatever FILE says");
    command.add_flag_callback(
        "--no-waves", [arguments] { arguments->recordings.waves = false; }, "Record none");
    command.add_flag_callback(
        "--packets", [arguments] { arguments->recordings.packets = true; },
        "Record the packets for Wireshark, whatever FILE says");
    command.add_flag_callback(
        "--no-packets", [arguments] { arguments->recordings.packets = false; }, "Record none");
    command.add_flag("--show-effect", arguments->show_effect,
                     "List the parameters that were never read or could not matter, and why");
    command.add_flag("--json", arguments->json, "Print the result as JSON");
    command.add_flag("--quiet", arguments->quiet, "No tables and no progress, only what went wrong");
    command.add_option("--log-level", arguments->log_level, "What to log to stderr (default: warning)")
        ->type_name("LEVEL")
        ->check(CLI::IsMember(log_levels()));
    command.footer(
        "Exit codes: 0 all expectations met, 1 not all of them, 2 usage, 3 scenario invalid, 4 mistake in ndsim,\n"
        "5 a limit was hit, 6 stalled, 7 an output could not be written, 130 interrupted.\n\n"
        "Example: ndsim run scenarios/library/stream.json --set nic.mtu=1024 --out out/mtu1024");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return run(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::cli

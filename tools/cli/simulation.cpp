// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/simulation.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "scenarios/result/result_json.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/alike_hosts.hpp"
#include "tools/cli/busy.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/effects.hpp"
#include "tools/cli/ending.hpp"
#include "tools/cli/expectations_text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/further_runs.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/cli/result_text.hpp"
#include "tools/cli/watchdog.hpp"

namespace ndsim::cli {

namespace {

nlohmann::ordered_json effects_json(const std::vector<Setting>& settings, const RunResult& result) {
    nlohmann::ordered_json without = nlohmann::ordered_json::object();
    for (const NoEffect& each : without_effect(settings, result.metrics, result.pools)) {
        nlohmann::ordered_json& entry = without[each.path];
        entry = {{"never_read", each.effect == Effect::never_read}, {"why", each.why}};
        if (each.least > 0) {
            entry["least_percent"] = each.least;
        }
        if (each.most != kAnyMore) {
            entry["most_percent"] = each.most;
        }
    }
    nlohmann::ordered_json busy = nlohmann::ordered_json::object();
    for (const Busy& each : busy_shares(result.metrics)) {
        busy[each.what] = static_cast<double>(each.per_mille) / 10;
    }
    return {{"without_effect", std::move(without)}, {"busy_percent", std::move(busy)}};
}

RunResult simulate(const RunArguments& arguments, const Loaded& loaded, const RunFolder& folder, Programs* programs) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    ProgressBar bar(name_of(loaded.scenario), !arguments.quiet);
    RunOptions options;
    options.folder = folder.path();
    options.writes_result = false;  // it has more here
    options.log = spdlog::default_logger();
    options.on_progress = [&](const Progress& progress) { bar.show(progress); };
    options.interrupted = [] { return interrupted(); };
    if (programs != nullptr) {
        programs->give_to(options, folder, !arguments.quiet && !arguments.json);
        options.watch = [&](const LookAtTurn& look) { return std::make_shared<Watchdog>(look, folder.path()); };
    }
    catch_interrupts();
    RunResult result;
    try {
        result = run_scenario(loaded.scenario, options);
    } catch (const ConfigError&) {
        throw;  // nothing was run
    } catch (const std::exception&) {
        spdlog::error("the run was aborted; its recordings so far are in {}", folder.path());
        throw;
    }
    if (programs != nullptr) {
        programs->finish_lines();
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

// Adds to the result what the further runs show. False: Ctrl-C came first.
bool run_further(FreshProcess& process, FurtherRuns& shown, nlohmann::ordered_json& json) {
    const std::optional<std::string> text = process.ask();
    if (!text) {
        return false;
    }
    shown = unpacked(*text);
    if (shown.proofs) {
        add_proofs(json, *shown.proofs);
    }
    if (shown.bars) {
        json["error_bars"] = error_bars_json(*shown.bars);
    }
    return !shown.bars || !shown.bars->interrupted;
}

}  // namespace

ExitCode simulate_and_tell(const RunArguments& arguments, const Loaded& loaded, const RunFolder& folder,
                           const Besides& besides) {
    Programs* const programs = besides.programs;
    spdlog::info("running {}, outputs go to {}", loaded.scenario.file, folder.path());
    RunResult result = simulate(arguments, loaded, folder, programs);
    nlohmann::ordered_json json =
        result_json(loaded.scenario, {loaded.overrides, loaded.written, loaded.settings()}, result);
    if (programs != nullptr) {
        json["programs"] = programs->to_json();
    }
    if (const AlikeHosts alike(loaded.scenario); !alike.names().empty()) {
        json["alike"] = alike.names();
    }
    write_result(folder, json, result);
    Ending ending = ending_of(result);
    FurtherRuns shown;
    if (besides.further != nullptr && ending.exit != ExitCode::interrupted) {
        if (!run_further(*besides.further, shown, json)) {
            ending = {ExitCode::interrupted,
                      "interrupted in the further runs; the run itself has ended, and its outputs "
                      "are complete"};
        } else if (result.unwritten.empty()) {
            write_result(folder, json, result);
            ending = ending_of(result);
        }
    }
    if (ending.exit == ExitCode::success && programs != nullptr && !programs->all_succeeded()) {
        ending = {ExitCode::expectation_failed, programs->failures()};
    }
    if (arguments.json) {
        json["folder"] = folder.path();
        json["unwritten"] = result.unwritten;
        if (arguments.show_effect) {
            json.update(effects_json(loaded.settings(), result));
        }
        json["kernel"] = {{"items", result.items}, {"activations", result.activations}};
        nlohmann::ordered_json said{{"result", std::move(json)}};
        if (!ending.why.empty()) {
            said["error"] = ending.why;
        }
        print_envelope(ending.exit, std::move(said));
        return ending.exit;
    }
    if (arguments.quiet) {
        fmt::print(stderr, "{}", unmet_text(loaded.scenario, result, Paint(stderr)));
    } else {
        print(result_text(loaded, result, folder.path(), Paint(stdout), shown.proofs ? &*shown.proofs : nullptr,
                          shown.bars ? &*shown.bars : nullptr));
        if (arguments.show_effect) {
            print(effects_text(loaded.settings(), result, Paint(stdout)));
        }
    }
    if (!ending.why.empty()) {
        tell({ending.exit, ending.why}, false);
    }
    return ending.exit;
}

RunFolder folder_of(const RunArguments& arguments, const Loaded& loaded) {
    return RunFolder(arguments.folder.empty() ? "out/" + name_of(loaded.scenario) : arguments.folder);
}

namespace {

// --waves or --no-waves, and the like.
void add_recording(CLI::App& command, const std::string& name, std::optional<bool>& records,
                   const std::string& sentence) {
    CLI::Option* const with = command.add_flag_callback(
        "--" + name, [&records] { records = true; }, sentence);
    command
        .add_flag_callback(
            "--no-" + name, [&records] { records = false; }, "Record none")
        ->excludes(with);
}

}  // namespace

// The arguments must outlive the command.
void add_run_arguments(CLI::App& command, RunArguments& arguments) {
    add_scenario_arguments(command, arguments.scenario);
    command.add_option("--out", arguments.folder, "Folder for the outputs (default: out/<name of the file>)")
        ->type_name("DIR")
        ->check(not_empty());
    add_recording(command, "waves", arguments.recordings.waves, "Record a waveform, whatever FILE says");
    add_recording(command, "packets", arguments.recordings.packets,
                  "Record the packets for Wireshark, whatever FILE says");
    add_recording(command, "timeline", arguments.recordings.timeline,
                  "Record a timeline for Perfetto, whatever FILE says; compressed with --set "
                  "outputs.timeline.compressed=true");
    command.add_flag("--show-effect", arguments.show_effect,
                     "List the parameters that were never read or could not matter, and why");
    command.add_flag("--json", arguments.json, "Print the result as JSON");
    command.add_flag("-q,--quiet", arguments.quiet, "No tables and no progress, only problems");
    command.add_flag_callback(
        "-v,--verbose", [&arguments] { arguments.log_level = "info"; }, "Log each step, as --log-level info does");
    command.add_option("--log-level", arguments.log_level, "Lowest level that is logged to stderr (default: warning)")
        ->type_name("LEVEL")
        ->check(CLI::IsMember(log_levels()));
}

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text.hpp"
#include "tools/cli/alike_hosts.hpp"
#include "tools/cli/engines_text.hpp"
#include "tools/cli/expectations_text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/latency_text.hpp"
#include "tools/cli/ledger_text.hpp"
#include "tools/cli/limits_text.hpp"
#include "tools/cli/recovery_text.hpp"
#include "tools/cli/statuses_text.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/traffic_text.hpp"

namespace ndsim::cli {

namespace {

std::string_view ending(const RunResult& result) {
    switch (result.outcome) {
        case RunOutcome::finished:
            return "finished";
        case RunOutcome::time_limit:
        case RunOutcome::item_limit:
            return "stopped at a limit";
        case RunOutcome::stalled:
            return "STALLED";
        case RunOutcome::interrupted:
            break;
    }
    return result.unwritten.empty() ? "interrupted" : "stopped, as an output could not be written,";
}

std::string headline(const Loaded& loaded, const RunResult& result, const Paint& paint) {
    const Scenario& scenario = loaded.scenario;
    std::string text = paint.strong(name_of(scenario));
    text += scenario.about.empty() ? "\n" : ": " + scenario.about + "\n";
    text += result.outcome == RunOutcome::finished ? paint.good("finished") : paint.bad(ending(result));
    text += fmt::format(" after {} of simulated time", figure(result.ended));
    if (result.started != Picoseconds{}) {
        text += fmt::format(" (set-up took {} of it)", figure(result.started));
    }
    text += fmt::format(", profile {}, seed {}\n", kStatusProfileNames.at(static_cast<std::size_t>(scenario.profile)),
                        scenario.seed);
    if (!loaded.overrides.empty()) {
        text += fmt::format("with {}\n", fmt::join(loaded.overrides, ", "));
    }
    return text;
}

// The first of these lines, and the number of the others.
std::string first_of(const std::vector<std::string>& lines) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) {
        text += lines[i] + "\n";
    }
    return text + (lines.size() > kMost ? fmt::format("and {} more\n", lines.size() - kMost) : "");
}

std::string dead_text(const std::vector<DeadConnection>& dead, const Paint& paint) {
    std::vector<std::string> lines;
    for (const DeadConnection& each : dead) {
        const std::string line =
            fmt::format("connection {} ended at {} by an error: {}", each.ends, figure(each.at), each.why);
        lines.push_back(each.of_program ? line + ", which is left to its program"
                        : each.expected ? line + ", as expected"
                                        : paint.bad(line));
    }
    return first_of(lines);
}

// Hosts with requests whose fate was not reported; receives that wait for messages do not count.
std::string fates_text(const std::vector<Fates>& hosts, const Paint& paint) {
    std::vector<std::string> lines;
    for (const Fates& fates : hosts) {
        std::vector<std::string> parts;
        for (const auto& [fate, words] : {std::pair{Fate::in_flight, "in flight at the end"},
                                          std::pair{Fate::unpolled, "completed and never polled"},
                                          std::pair{Fate::untold, "of which no completion tells"}}) {
            if (fates[fate] > 0) {
                parts.push_back(fmt::format("{} {}", fates[fate], words));
            }
        }
        if (!parts.empty()) {
            lines.push_back(paint.strong(fmt::format("requests of {}: {}", fates.host, fmt::join(parts, ", "))));
        }
    }
    return first_of(lines);
}

// Programs that went on although calls returned errors.
std::string refusals_text(const Scenario& scenario, const Metrics& metrics, const Paint& paint) {
    std::vector<std::string> lines;
    for (const Host& host : scenario.hosts) {
        const Metric* const refused = metrics.find(fmt::format("programs.{}.refused", host.name));
        if (refused != nullptr && refused->value > 0) {
            lines.push_back(paint.strong(fmt::format("calls of {}'s program: {} refused", host.name, refused->value)));
        }
    }
    return first_of(lines);
}

// Whether no failure to write this output is known.
bool is_whole(const RunResult& result, std::string_view name) {
    const std::string said = fmt::format("/{}: ", name);
    return std::ranges::none_of(result.unwritten,
                                [&](const std::string& why) { return why.find(said) != std::string::npos; });
}

std::string outputs_text(const Loaded& loaded, const RunResult& result, const std::string& folder, const Paint& paint) {
    Table table({Align::left, Align::left});
    const auto has = [&](std::string_view name) {
        return std::ranges::find(result.files, name) != result.files.end() && is_whole(result, name);
    };
    if (is_whole(result, "result.json")) {
        table.row({"result.json", "all figures, exact, and the scenario after all overrides"});
    }
    if (has("completions.csv")) {
        table.row({"completions.csv", "one line for each request, with its ledger"});
    }
    if (has("waves.vcd")) {
        table.row({"waves.vcd",
                   has("waves.gtkw") ? "open it with: gtkwave " + in_shell(folder + "/waves.gtkw") : "the waveform"});
    }
    if (has("packets.pcapng")) {
        table.row({"packets.pcapng", "open it with: wireshark " + in_shell(folder + "/packets.pcapng")});
    }
    for (const char* const timeline : {"timeline.json", "timeline.json.gz"}) {
        if (has(timeline)) {
            table.row({timeline, "open it in ui.perfetto.dev"});
        }
    }
    std::string text = "\n" + paint.strong("Outputs") + " in " + folder + "\n" + table.text(paint);
    for (const std::string& why : result.unwritten) {
        text += "  " + paint.bad("NOT written, or incomplete: ") + why + "\n";
    }
    if (!loaded.scenario.outputs.waves.enabled) {
        text += paint.faint("  --waves records a waveform, too") + "\n";
    }
    if (!loaded.scenario.outputs.packets.enabled) {
        text += paint.faint("  --packets records the packets") + "\n";
    }
    if (!loaded.scenario.outputs.timeline.enabled) {
        text += paint.faint("  --timeline records a timeline") + "\n";
    }
    return text;
}

// Suggestions after a run. Commands stay on one line, so that they can be copied.
std::string next_text(const Loaded& loaded, const RunResult& result, const std::string& folder, const Paint& paint) {
    std::string text;
    const auto add = [&text](std::string_view what, const std::string& command) {
        text += fmt::format("  {:<19}  {}\n", what, command);
    };
    const std::string run = in_shell(folder);
    const bool has_result = is_whole(result, "result.json");
    if (has_result && !result.ledgers.empty() && is_whole(result, "completions.csv") &&
        std::ranges::find(result.files, "completions.csv") != result.files.end()) {
        const MeanLedger& first = result.ledgers.front();
        add("one request", fmt::format("ndsim explain {} {}.{}.slowest", run, first.host, first.operation));
    }
    if (has_result) {
        add("a page with figures", "ndsim report " + run);
    }
    if (!loaded.scenario.traffic.empty() && loaded.scenario.file != kStdin) {
        const std::string target = loaded.scenario.target.empty() ? " --target '95 % of line rate'" : "";
        add("how deep", "ndsim advise " + in_shell(loaded.scenario.file) + target);
    }
    return text.empty() ? text : "\n" + paint.strong("Next") + "\n" + text;
}

}  // namespace

std::string result_text(const Loaded& loaded, const RunResult& result, const std::string& folder, const Paint& paint,
                        const LimitProofs* proofs, const ErrorBars* bars) {
    std::string text = headline(loaded, result, paint) + dead_text(result.dead_connections, paint);
    if (loaded.scenario.expect.empty()) {
        text += refusals_text(loaded.scenario, result.metrics, paint) + fates_text(result.fates, paint);
    }
    text += statuses_text(result.statuses, paint);
    if (!loaded.scenario.traffic.empty() && !result.metrics.all().empty()) {
        text += traffic_text(loaded, result, paint);
    }
    if (!loaded.scenario.dma.empty() && !result.metrics.all().empty()) {
        text += dma_text(loaded, result, paint);
    }
    text += latency_text(loaded, result.metrics, paint);
    const AlikeHosts alike(loaded.scenario);
    // A program is limited by its own steps.
    if (!loaded.scenario.traffic.empty() || !loaded.scenario.dma.empty()) {
        text +=
            bound_text(result.limits, alike, proofs, paint) + (proofs == nullptr ? "" : proofs_text(*proofs, paint));
    }
    text += bars == nullptr ? "" : error_bars_text(*bars, paint);
    text += recovery_text(recovery_of(result.metrics.all(), alike), paint);
    text += ledger_text(alike.merged(result.ledgers), paint);
    text += pools_text(result, loaded.scenario, alike, paint);
    text += engines_text(alike.merged(result.engines), paint);
    text += expectations_text(loaded.scenario, result, paint);
    text += outputs_text(loaded, result, folder, paint);
    if (result.outcome == RunOutcome::finished) {
        text += next_text(loaded, result, folder, paint);
    }
    return text;
}

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/engines_text.hpp"
#include "tools/cli/expectations_text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/ledger_text.hpp"
#include "tools/cli/limits_text.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

constexpr std::string_view kNotSteady = ", NOT STEADY";

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

// The first of them, with the number of the others.
std::string dead_text(const std::vector<DeadConnection>& dead, const Paint& paint) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(dead.size(), kMost); ++i) {
        const DeadConnection& each = dead[i];
        const std::string line =
            fmt::format("connection {} ended at {} by an error: {}", each.ends, figure(each.at), each.why);
        text += each.expected ? line + ", as expected\n" : paint.bad(line) + "\n";
    }
    return text + (dead.size() > kMost ? fmt::format("and {} more\n", dead.size() - kMost) : "");
}

// The figure of a metric, or a dash.
std::string shown(const Metrics& metrics, const std::string& name) {
    const Metric* const metric = metrics.find(name);
    return metric == nullptr ? "-" : figure(*metric);
}

// Half the 95 % interval of a figure, or what stands for none.
std::string interval_text(const Metrics& metrics, const std::string& name, std::string_view none) {
    const Metric* const interval = metrics.find(name + ".interval");  // in parts per million
    return interval == nullptr ? std::string(none) : "+- " + decimal((interval->value + 50) / 100, 2) + " %";
}

// How far to trust a rate.
std::string trust(const Metrics& metrics, const std::string& prefix, bool finished) {
    if (!finished) {
        return "not all measured";
    }
    const Metric* const steady = metrics.find(prefix + ".steady");
    return fmt::format("{}{}", interval_text(metrics, prefix, "-"),
                       steady != nullptr && steady->value == 0 ? kNotSteady : "");
}

std::string not_steady(std::string_view advice) {
    return fmt::format(
        "  Not steady: the halves of the measured window differ. {} (count), or measure later\n  (measure.warmup).\n",
        advice);
}

std::string traffic_text(const Loaded& loaded, const RunResult& result, const Paint& paint) {
    const Metrics& metrics = result.metrics;
    Table table(
        {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "", "messages", "failed", "measured", "goodput", "message rate", "95 % interval"});
    bool unsteady = false;
    for (const Traffic& traffic : loaded.scenario.traffic) {
        const std::string prefix = "traffic." + traffic.name;
        const std::string trusted = trust(metrics, prefix, result.outcome == RunOutcome::finished);
        unsteady = unsteady || trusted.ends_with(kNotSteady);
        table.row({traffic.name, traffic.from + " to " + traffic.to, shown(metrics, prefix + ".messages"),
                   shown(metrics, prefix + ".failed"), shown(metrics, prefix + ".measured"),
                   shown(metrics, prefix + ".goodput"), shown(metrics, prefix + ".message_rate"), trusted});
    }
    const std::string text = "\n" + paint.strong("Traffic") + "\n" + table.text(paint);
    return text + (unsteady ? not_steady("Send more messages") : "");
}

std::string dma_text(const Loaded& loaded, const RunResult& result, const Paint& paint) {
    const Metrics& metrics = result.metrics;
    Table table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "", "transfers", "measured", "rate", "transfer rate", "95 % interval"});
    bool unsteady = false;
    for (const DmaLoad& load : loaded.scenario.dma) {
        const std::string prefix = "dma." + load.name;
        const std::string trusted = trust(metrics, prefix, result.outcome == RunOutcome::finished);
        unsteady = unsteady || trusted.ends_with(kNotSteady);
        const std::string_view operation = kDmaOperationNames.at(static_cast<std::size_t>(load.params.operation));
        table.row({load.name, fmt::format("{} of {} on {}", operation, to_text(load.params.size), load.host),
                   shown(metrics, prefix + ".transfers"), shown(metrics, prefix + ".measured"),
                   shown(metrics, prefix + ".rate"), shown(metrics, prefix + ".transfer_rate"), trusted});
    }
    const std::string text = "\n" + paint.strong("DMA") + "\n" + table.text(paint);
    return text + (unsteady ? not_steady("Do more transfers") : "");
}

// What the latency of a DMA generator is, in few words.
std::string_view dma_latency(const Scenario& scenario, std::string_view name) {
    constexpr std::array<std::string_view, kDmaOperationNames.size()> kLatencies{
        "issue to data in the NIC", "issue to visible", "issue to end", "write issued to data in the NIC"};
    const auto load = std::ranges::find(scenario.dma, name, &DmaLoad::name);
    return load == scenario.dma.end() ? "" : kLatencies.at(static_cast<std::size_t>(load->params.operation));
}

// Every series of latencies that the run has; those of single requests only if there is nothing better.
std::string latency_text(const Loaded& loaded, const Metrics& metrics, const Paint& paint) {
    Table table(
        {Align::left, Align::right, Align::right, Align::left, Align::right, Align::right, Align::right, Align::right});
    const auto add = [&](const std::string& title, const std::string& name) {
        if (table.empty()) {
            table.heading({"", "samples", "mean", "", "min", "p50", "p99", "max"});
        }
        table.row({title, shown(metrics, name + ".count"), shown(metrics, name + ".mean"),
                   interval_text(metrics, name, ""), shown(metrics, name + ".min"), shown(metrics, name + ".p50"),
                   shown(metrics, name + ".p99"), shown(metrics, name + ".max")});
    };
    const bool has_traffic = !loaded.scenario.traffic.empty();
    for (const Metric& metric : metrics.all()) {
        if (!metric.name.ends_with(".mean")) {
            continue;
        }
        const std::string name = metric.name.substr(0, metric.name.size() - std::string_view(".mean").size());
        const std::string rest = name.substr(name.find('.') + 1);  // stream.latency, A.round_trip, A.send
        if (name.starts_with("traffic.")) {
            const bool delivery = rest.ends_with(".delivery");
            add(fmt::format("{}: post to {} poll", rest.substr(0, rest.rfind('.')),
                            delivery ? "receiver's" : "sender's"),
                name);
        } else if (name.starts_with("dma.")) {
            const std::string load = rest.substr(0, rest.rfind('.'));
            add(fmt::format("{}: {}", load, dma_latency(loaded.scenario, load)), name);
        } else if (name.starts_with("programs.")) {
            add(rest, name);
        } else if (name.starts_with("ledger.") && !has_traffic) {
            add(fmt::format("{}: post to poll", rest), name);
        }
    }
    return table.empty() ? "" : "\n" + paint.strong("Latency") + "\n" + table.text(paint);
}

std::string in_shell(const std::string& path) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
    if (path.find_first_not_of(kPlain) == std::string::npos) {
        return path;
    }
    std::string quoted = "'";
    for (const char c : path) {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted + "'";
}

std::string outputs_text(const Loaded& loaded, const RunResult& result, const std::string& folder, const Paint& paint) {
    Table table({Align::left, Align::left});
    const auto has = [&](std::string_view name) {
        return std::find(result.files.begin(), result.files.end(), name) != result.files.end();
    };
    const bool has_result = std::none_of(result.unwritten.begin(), result.unwritten.end(), [](const std::string& why) {
        return why.find("/result.json: ") != std::string::npos;
    });
    if (has_result) {
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
    if (has("timeline.json")) {
        table.row({"timeline.json", "open it in ui.perfetto.dev"});
    }
    std::string text = "\n" + paint.strong("Outputs") + " in " + folder + "\n" + table.text(paint);
    for (const std::string& why : result.unwritten) {
        text += "  " + paint.bad("NOT written, or not whole: ") + why + "\n";
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

}  // namespace

std::string result_text(const Loaded& loaded, const RunResult& result, const std::string& folder, const Paint& paint) {
    std::string text = headline(loaded, result, paint) + dead_text(result.dead_connections, paint);
    if (!loaded.scenario.traffic.empty() && !result.metrics.all().empty()) {
        text += traffic_text(loaded, result, paint);
    }
    if (!loaded.scenario.dma.empty() && !result.metrics.all().empty()) {
        text += dma_text(loaded, result, paint);
    }
    text += latency_text(loaded, result.metrics, paint);
    // A program is bound by its own steps.
    if (!loaded.scenario.traffic.empty() || !loaded.scenario.dma.empty()) {
        text += bound_text(result.limits, paint);
    }
    text += ledger_text(result.ledgers, paint);
    text += pools_text(result.metrics, paint);
    text += engines_text(result.engines, paint);
    text += expectations_text(loaded.scenario, result, paint);
    text += outputs_text(loaded, result, folder, paint);
    return text;
}

}  // namespace ndsim::cli

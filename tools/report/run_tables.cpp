// SPDX-License-Identifier: Apache-2.0
#include "tools/report/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/base/text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/html.hpp"

namespace ndsim::report {

using inspect::RecordedRun;

namespace {

// The figure of a metric, or a dash.
std::string shown(const RecordedRun& run, const std::string& name) {
    const auto found = run.metrics.find(name);
    return found == run.metrics.end() ? "-" : cli::figure(found->second);
}

// Half the 95 % interval of a figure, or nothing.
std::string interval(const RecordedRun& run, const std::string& name) {
    const auto found = run.metrics.find(name + ".interval");
    return found == run.metrics.end() ? "" : "± " + cli::decimal((found->second.value + 50) / 100, 2) + " %";
}

// The generators of a kind: what stands between "traffic." and the next dot.
std::set<std::string> generators(const RecordedRun& run, std::string_view kind) {
    std::set<std::string> names;
    for (const auto& [name, metric] : run.metrics) {
        if (name.starts_with(kind)) {
            names.insert(name.substr(0, name.find('.', kind.size())));
        }
    }
    return names;
}

std::string steadiness(const RecordedRun& run, const std::string& generator) {
    const auto steady = run.metrics.find(generator + ".steady");
    return steady != run.metrics.end() && steady->second.value == 0 ? "not steady" : "";
}

std::string rates_table(const RecordedRun& run) {
    TableOf table{{"generator", ">messages", ">failed", ">measured", ">goodput", ">message rate", "95 % interval", ""},
                  {}};
    for (const std::string& name : generators(run, "traffic.")) {
        table.rows.push_back({name, shown(run, name + ".messages"), shown(run, name + ".failed"),
                              shown(run, name + ".measured"), shown(run, name + ".goodput"),
                              shown(run, name + ".message_rate"), interval(run, name), steadiness(run, name)});
    }
    for (const std::string& name : generators(run, "dma.")) {
        table.rows.push_back({name, shown(run, name + ".transfers"), "-", shown(run, name + ".measured"),
                              shown(run, name + ".rate"), shown(run, name + ".transfer_rate"), interval(run, name),
                              steadiness(run, name)});
    }
    return table.rows.empty() ? "" : "<h3>Rates</h3>\n" + html_of(table);
}

// What generators reach together whose payload goes to one host, or from one host to several.
std::string side_by_side_table(const RecordedRun& run) {
    TableOf table{{"generators", ">together", ">the slowest", ">the fastest", ""}, {}};
    for (const std::string_view kind : {"run.to_", "run.from_"}) {
        for (const std::string& name : generators(run, kind)) {
            if (run.metrics.contains(name + ".slowest")) {
                const std::size_t host = name.find('_');
                table.rows.push_back({name.substr(4, host - 4) + " " + name.substr(host + 1),
                                      shown(run, name + ".goodput"), shown(run, name + ".slowest"),
                                      shown(run, name + ".fastest"), steadiness(run, name)});
            }
        }
    }
    return table.rows.empty() ? "" : "<h3>Side by side</h3>\n" + html_of(table);
}

// As the tables of ndsim run: those of single kinds of requests only if there is no generator.
std::string latency_table(const RecordedRun& run) {
    constexpr std::string_view kMark = ".mean";
    TableOf table{{"latency of", ">samples", ">mean", "", ">min", ">p50", ">p99", ">max"}, {}};
    const bool has_traffic = !generators(run, "traffic.").empty();
    for (const auto& [metric, value] : run.metrics) {
        const bool is_latency = metric.starts_with("traffic.") || metric.starts_with("dma.") ||
                                metric.starts_with("programs.") || (metric.starts_with("ledger.") && !has_traffic);
        if (!is_latency || !metric.ends_with(kMark)) {
            continue;
        }
        const std::string name = metric.substr(0, metric.size() - kMark.size());
        table.rows.push_back({name, shown(run, name + ".count"), shown(run, metric), interval(run, name),
                              shown(run, name + ".min"), shown(run, name + ".p50"), shown(run, name + ".p99"),
                              shown(run, name + ".max")});
    }
    return table.rows.empty() ? "" : "<h3>Latencies</h3>\n" + html_of(table);
}

std::string limits_table(const RecordedRun& run) {
    TableOf table{{"bound by", "kind", ">share of the time", "parameter", "basis"}, {}};
    for (const nlohmann::json& limit : run.whole.at("limits")) {
        if (limit.at("binds").get<bool>()) {
            table.rows.push_back(
                {limit.at("what"), limit.at("kind"),
                 cli::percent(limit.at("share_ppm").get<std::uint64_t>(), 1'000'000) + " %",
                 limit.at("parameter").get<std::string>() + " = " + limit.at("value").get<std::string>(),
                 limit.value("basis", "")});
        }
    }
    return table.rows.empty() ? paragraph("Nothing was full or busy for long.")
                              : "<h3>What bound the run</h3>\n" + html_of(table);
}

std::string verdicts_table(const RecordedRun& run) {
    if (run.verdicts.empty()) {
        return {};
    }
    TableOf table{{"", "expected", "found"}, {}};
    for (const bool met : {false, true}) {  // what is wrong first
        for (const Verdict& verdict : run.verdicts) {
            if (verdict.met == met) {
                table.rows.push_back({met ? "met" : "NOT MET", verdict.what, verdict.found});
            }
        }
    }
    return "<h3>Expectations</h3>\n" + html_of(table);
}

std::string ending(const std::string& outcome) {
    return outcome == "finished"      ? "Finished"
           : outcome == "stalled"     ? "STALLED"
           : outcome == "interrupted" ? "Interrupted"
                                      : "Stopped at a limit";
}

}  // namespace

std::string run_head(const RecordedRun& run) {
    const nlohmann::json& scenario = run.whole.at("scenario");
    const auto unmet = std::ranges::count(run.verdicts, false, &Verdict::met);
    const std::string outcome = run.whole.at("outcome");
    std::string html = fmt::format("<h1>{}</h1>\n{}", escaped(std::filesystem::path(run.file).stem().string()),
                                   paragraph(scenario.at("about").get<std::string>()));
    html += fmt::format("<p><span class=\"{}\">{}</span> after {} of simulated time",
                        outcome == "finished" ? "good" : "bad", ending(outcome),
                        cli::figure(Picoseconds{run.whole.at("ended_ps").get<std::int64_t>()}));
    if (run.started > Picoseconds{}) {
        html += fmt::format(" (set-up took {} of it)", cli::figure(run.started));
    }
    html += fmt::format(", {} completions, profile {}, seed {}.", run.whole.at("completions").get<std::uint64_t>(),
                        escaped(run.setting("profile").value_or("-")), scenario.at("seed").get<std::uint64_t>());
    if (!run.verdicts.empty()) {
        html += fmt::format(" <span class=\"{}\">{} of {} expectations met.</span>", unmet == 0 ? "good" : "bad",
                            run.verdicts.size() - static_cast<std::size_t>(unmet), run.verdicts.size());
    }
    html += "</p>\n";
    const std::string why = run.whole.at("why");
    html += why.empty() || outcome == "finished" ? "" : paragraph(why);
    return html + (run.overrides.empty() ? "" : paragraph("With " + join(run.overrides, ", ") + "."));
}

std::string run_summary(const RecordedRun& run) {
    const bool has_generators = !generators(run, "traffic.").empty() || !generators(run, "dma.").empty();
    return rates_table(run) + side_by_side_table(run) + latency_table(run) + (has_generators ? limits_table(run) : "") +
           verdicts_table(run);
}

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#include "tools/report/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "sim/base/text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/report/alike_rows.hpp"
#include "tools/report/html.hpp"
#include "tools/report/made_by.hpp"
#include "tools/report/run_failures.hpp"
#include "tools/report/statuses_table.hpp"

namespace ndsim::report {

using inspect::RecordedRun;

namespace {

// The figure of a metric, or a dash.
std::string shown(const RecordedRun& run, const std::string& name) {
    const auto found = run.metrics.find(name);
    return found == run.metrics.end() ? "-" : cli::figure(found->second);
}

// The generators of a kind: the names between "traffic." and the next dot.
std::vector<std::string> generators(const RecordedRun& run, std::string_view kind) {
    std::set<std::string> names;
    for (const auto& [name, metric] : run.metrics) {
        if (name.starts_with(kind)) {
            names.insert(name.substr(0, name.find('.', kind.size())));
        }
    }
    return {names.begin(), names.end()};
}

std::string rates_table(const RecordedRun& run) {
    TableOf table{{"generator", ">messages", ">failed", ">measured", ">goodput", ">message rate", "95 % interval", ""},
                  {}};
    for (const AlikeRow& row : alike_rows(run, generators(run, "traffic."))) {
        table.rows.push_back({row.title(), row.figure("messages"), row.figure("failed"), row.figure("measured"),
                              row.figure("goodput"), row.figure("message_rate"), row.interval("interval"),
                              row.steadiness()});
    }
    for (const AlikeRow& row : alike_rows(run, generators(run, "dma."))) {
        table.rows.push_back({row.title(), row.figure("transfers"), "-", row.figure("measured"), row.figure("rate"),
                              row.figure("transfer_rate"), row.interval("interval"), row.steadiness()});
    }
    return table.rows.empty() ? "" : "<h3>Rates</h3>\n" + html_of(table);
}

// The total rates of generators whose payload goes to one host, or from one host to several.
std::string side_by_side_table(const RecordedRun& run) {
    TableOf table{{"generators", ">together", ">the slowest", ">the fastest", ""}, {}};
    for (const std::string_view kind : {"run.to_", "run.from_"}) {
        for (const std::string& name : generators(run, kind)) {
            if (run.metrics.contains(name + ".slowest")) {
                const std::size_t host = name.find('_');
                table.rows.push_back({name.substr(4, host - 4) + " " + name.substr(host + 1),
                                      shown(run, name + ".goodput"), shown(run, name + ".slowest"),
                                      shown(run, name + ".fastest"), AlikeRow(run, {name}).steadiness()});
            }
        }
    }
    return table.rows.empty() ? "" : "<h3>Side by side</h3>\n" + html_of(table);
}

// Like the tables of ndsim run: those of single kinds of requests only without a generator.
std::string latency_table(const RecordedRun& run) {
    constexpr std::string_view kMark = ".mean";
    TableOf table{{"latency of", ">samples", ">mean", "", ">min", ">p50", ">p99", ">max"}, {}};
    const bool has_traffic = !generators(run, "traffic.").empty();
    std::vector<std::string> names;
    for (const auto& [metric, value] : run.metrics) {
        const bool is_latency = metric.starts_with("traffic.") || metric.starts_with("dma.") ||
                                metric.starts_with("programs.") || (metric.starts_with("ledger.") && !has_traffic);
        if (!is_latency || !metric.ends_with(kMark)) {
            continue;
        }
        names.push_back(metric.substr(0, metric.size() - kMark.size()));
    }
    for (const AlikeRow& row : alike_rows(run, names)) {
        table.rows.push_back({row.title(), row.figure("count"), row.figure("mean"), row.interval("interval"),
                              row.figure("min"), row.figure("p50"), row.figure("p99"), row.figure("max")});
    }
    return table.rows.empty() ? "" : "<h3>Latencies</h3>\n" + html_of(table);
}

// Binding limits; alike ones with one value are merged.
struct Bounds {
    std::vector<std::string> what;
    std::vector<std::string> parameters;
    std::vector<std::uint64_t> shares;
    nlohmann::json first;
};

// Parameters of which more brought nothing, by ndsim run --prove-limits.
std::set<std::string> not_proved(const RecordedRun& run) {
    std::set<std::string> parameters;
    for (const nlohmann::json& limit : run.whole.at("limits")) {
        if (limit.contains("proof") && limit.at("proof").at("verdict") == "not proved") {
            parameters.insert(limit.at("parameter"));
        }
    }
    return parameters;
}

// Why a limit is not the only one; empty if it is, or was not tried.
std::string others_of(const nlohmann::json& limit) {
    if (!limit.contains("proof") || !limit.at("proof").contains("with")) {
        return {};
    }
    const nlohmann::json& proof = limit.at("proof");
    return (proof.at("verdict") == "shared" ? "shared with " : "only together with ") +
           join(proof.at("with").get<std::vector<std::string>>(), ", ");
}

std::vector<Bounds> bounds_of(const RecordedRun& run) {
    const std::set<std::string> left_out = not_proved(run);
    std::vector<Bounds> all;
    std::map<std::string, std::size_t> places;
    for (const nlohmann::json& limit : run.whole.at("limits")) {
        const std::string what = limit.at("what");
        const std::string parameter = limit.at("parameter");
        if (!limit.at("binds").get<bool>() || left_out.contains(parameter)) {
            continue;
        }
        const std::string key =
            fmt::format("{} {} {} {}", run.alike.key(what), limit.at("kind").get<std::string>(),
                        parameter.substr(parameter.rfind('.') + 1), limit.at("value").get<std::string>());
        const auto [place, is_new] = places.emplace(key, all.size());
        if (is_new) {
            all.push_back({{}, {}, {}, limit});
        }
        Bounds& bounds = all[place->second];
        bounds.what.push_back(what);
        bounds.parameters.push_back(parameter);
        bounds.shares.push_back(limit.at("share_ppm"));
    }
    return all;
}

// "20.1 .. 20.4 %"
std::string share_text(const std::vector<std::uint64_t>& shares) {
    const auto [least, most] = std::ranges::minmax(shares);
    const std::string low = cli::percent(least, 1'000'000);
    const std::string high = cli::percent(most, 1'000'000);
    return (low == high ? low : low + " .. " + high) + " %";
}

std::string limits_table(const RecordedRun& run) {
    TableOf table{{"bound by", "kind", ">share of the time", "parameter", "basis", ""}, {}};
    for (const Bounds& bounds : bounds_of(run)) {
        const bool one_parameter = bounds.parameters.front() == bounds.parameters.back();
        table.rows.push_back({name_together(bounds.what), bounds.first.at("kind"), share_text(bounds.shares),
                              (one_parameter ? bounds.parameters.front() : cli::first_and_last(bounds.parameters)) +
                                  " = " + bounds.first.at("value").get<std::string>(),
                              bounds.first.value("basis", ""), others_of(bounds.first)});
    }
    if (table.rows.empty()) {
        return paragraph(not_proved(run).empty() ? "Nothing was full or busy for long."
                                                 : "More of what was full or busy brings nothing: no limit is proved.");
    }
    return "<h3>What bound the run</h3>\n" + html_of(table);
}

std::string verdicts_table(const RecordedRun& run) {
    if (run.verdicts.empty()) {
        return {};
    }
    TableOf table{{"", "expected", "found"}, {}};
    for (const bool met : {false, true}) {  // unmet ones first
        for (const Verdict& verdict : run.verdicts) {
            if (verdict.met == met) {
                table.rows.push_back({met ? "met" : "NOT MET", verdict.what, verdict.found});
            }
        }
    }
    return "<h3>Expectations</h3>\n" + html_of(table);
}

// Of ndsim exec. One that has not ended has no exit code.
std::string programs_table(const RecordedRun& run) {
    TableOf table{{"host", "program", "exit code"}, {}};
    const nlohmann::json programs = run.whole.value("programs", nlohmann::json::object());
    for (const auto& [host, program] : programs.items()) {
        if (program.contains("file")) {
            const auto code = program.find("exit_code");
            table.rows.push_back({host, program["file"], code == program.end() ? "-" : code->dump()});
        }
    }
    return table.rows.empty() ? "" : "<h3>Programs</h3>\n" + html_of(table);
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
    const std::string presets = presets_text(run.settings);
    html += fmt::format(", {} completions, profile {}, {}seed {}.", run.whole.at("completions").get<std::uint64_t>(),
                        escaped(run.setting("profile").value_or("-")), presets.empty() ? "" : escaped(presets) + ", ",
                        scenario.at("seed").get<std::uint64_t>());
    if (!run.verdicts.empty()) {
        html += fmt::format(" <span class=\"{}\">{} of {} expectations met.</span>", unmet == 0 ? "good" : "bad",
                            run.verdicts.size() - static_cast<std::size_t>(unmet), run.verdicts.size());
    }
    html += "</p>\n";
    const std::string why = run.whole.at("why");
    html += why.empty() || outcome == "finished" ? "" : paragraph(why);
    return html + made_by_html({run.version, command_of(run), run.settings});
}

std::string run_summary(const RecordedRun& run) {
    const bool has_generators = !generators(run, "traffic.").empty() || !generators(run, "dma.").empty();
    return programs_table(run) + ended_connections_table(run) + statuses_table(run) + rates_table(run) +
           side_by_side_table(run) + latency_table(run) + (has_generators ? limits_table(run) : "") +
           recovery_table(run) + verdicts_table(run);
}

}  // namespace ndsim::report

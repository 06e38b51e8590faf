// SPDX-License-Identifier: Apache-2.0
#include "tools/report/latency_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/counted.hpp"
#include "tools/inspect/completions_file.hpp"
#include "tools/report/html.hpp"
#include "tools/report/line_plot.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/thin.hpp"

namespace ndsim::report {

namespace {

constexpr std::size_t kSteps = 1000;       // resolution of the picture in both directions
constexpr std::uint64_t kLinearUpTo = 20;  // largest ratio of longest to shortest on a linear axis

// The latencies of one kind of requests, in ps, by the kind: "A send", "S1 .. S8 send".
using Kinds = std::map<std::string, std::vector<std::uint64_t>>;

// All latencies of a run.
struct Latencies {
    Kinds of_requests;
    Kinds of_receives;
    std::uint64_t failed = 0;
};

// The common name of each host and those like it.
std::map<std::string, std::string> names_together(const inspect::RecordedRun& run) {
    std::vector<std::string> hosts;  // in the order of the scenario, if they had a request
    for (const MeanLedger& ledger : run.ledgers) {
        if (std::ranges::find(hosts, ledger.host) == hosts.end()) {
            hosts.push_back(ledger.host);
        }
    }
    return run.alike.common_names(hosts);
}

// Adds the latencies of a run, whose kinds begin with its name: "first: A send".
void read_latencies(const NamedRun& of, Latencies& latencies) {
    const inspect::RecordedRun& run = of.run;
    const std::string prefix = of.name.empty() ? "" : of.name + ": ";
    inspect::CompletionsFile file(run.completions(), run.completion_count());
    inspect::Completion row;
    const std::map<std::string, std::string> together = names_together(run);
    while (file.next(row)) {
        if (row.status != "success") {
            ++latencies.failed;
            continue;
        }
        auto& kinds = row.operation == "receive" ? latencies.of_receives : latencies.of_requests;
        const auto host = together.find(row.host());
        const std::string& name = host == together.end() ? row.host() : host->second;
        kinds[prefix + name + " " + row.operation].push_back(static_cast<std::uint64_t>(row.total().count()));
    }
}

Latencies read_latencies(std::span<const NamedRun> runs) {
    Latencies latencies;
    for (const NamedRun& run : runs) {
        read_latencies(run, latencies);
    }
    for (auto* const kinds : {&latencies.of_requests, &latencies.of_receives}) {
        for (auto& [kind, times] : *kinds) {
            std::ranges::sort(times);
        }
    }
    return latencies;
}

// A step up at each latency.
std::vector<Point> curve_of(const std::vector<std::uint64_t>& sorted, const Unit& unit) {
    std::vector<Point> points{{unit(sorted.front()), 0}};
    const auto count = static_cast<double>(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i + 1 == sorted.size() || sorted[i + 1] != sorted[i]) {
            points.push_back({unit(sorted[i]), 100 * static_cast<double>(i + 1) / count});
        }
    }
    return points;
}

Figure figure_of(const std::string& id, const std::string& title, const Kinds& kinds) {
    std::uint64_t shortest = kinds.begin()->second.front();
    std::uint64_t longest = 0;
    for (const auto& [kind, times] : kinds) {
        shortest = std::min(shortest, times.front());
        longest = std::max(longest, times.back());
    }
    const Unit unit = unit_for(Quantity::time, longest);
    const bool logarithmic = shortest > 0 && longest / shortest > kLinearUpTo;
    const std::optional<Range> range =
        longest > shortest ? std::optional(wider({unit(shortest), unit(longest)}, logarithmic)) : std::nullopt;
    LinePlot plot{id, title, {},  {"latency" + unit.in_brackets(), logarithmic, {}, {}, range}, {"requests [%]"},
                  {}, {},    true};
    bool thin = false;
    for (const auto& [kind, times] : kinds) {
        const std::vector<Point> whole = curve_of(times, unit);
        plot.series.push_back({fmt::format("{} ({})", kind, times.size()), thinned_rise(whole, kSteps, logarithmic)});
        thin = thin || plot.series.back().points.size() < whole.size();
    }
    plot.caption = std::string("Requests that took no longer than that, in per cent of those of their kind.") +
                   (thin ? " Thinned to steps of a thousandth of the picture; completions.csv has every request." : "");
    return report::figure_of(plot);
}

}  // namespace

std::string latency_chapter(std::span<const NamedRun> runs) {
    for (const NamedRun& of : runs) {
        if (!of.run.has_completions()) {
            return note(fmt::format("The {}run has no completions.csv: run it again with outputs.completions=true.",
                                    of.name.empty() ? "" : of.name + " "));
        }
    }
    const Latencies latencies = read_latencies(runs);
    std::string html;
    if (!latencies.of_requests.empty()) {
        html += html_of(figure_of("latency-curve", "From post to poll", latencies.of_requests));
    }
    if (!latencies.of_receives.empty()) {
        html += html_of(figure_of("receive-curve", "Receives, from their post to the poll that returned their message",
                                  latencies.of_receives));
    }
    if (html.empty()) {
        html = note("No request succeeded.");
    }
    if (latencies.failed > 0) {
        html += note(fmt::format("Not in the curves: {} that did not succeed.", counted(latencies.failed, "request")));
    }
    return html;
}

}  // namespace ndsim::report

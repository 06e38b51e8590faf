// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/latency_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "tools/cli/alike.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/foremost.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/traffic_text.hpp"

namespace ndsim::cli {

namespace {

// The meaning of a DMA generator's latency, in few words.
std::string_view dma_latency(const Scenario& scenario, std::string_view name) {
    constexpr std::array<std::string_view, kDmaOperationNames.size()> kLatencies{
        "issue to data in the NIC", "issue to visible", "issue to end", "write issued to data in the NIC"};
    const auto load = std::ranges::find(scenario.dma, name, &DmaLoad::name);
    return load == scenario.dma.end() ? "" : kLatencies.at(static_cast<std::size_t>(load->params.operation));
}

// The row of one series of latencies, "programs.A.round_trip".
std::vector<std::string> latency_row(const Metrics& metrics, std::string title, const std::string& name) {
    return {std::move(title),
            shown(metrics, name + ".count"),
            shown(metrics, name + ".mean"),
            interval_text(metrics, name, ""),
            shown(metrics, name + ".min"),
            shown(metrics, name + ".p50"),
            shown(metrics, name + ".p99"),
            shown(metrics, name + ".max")};
}

// The row of a series, "latency", that each of these generators has.
std::vector<std::string> latency_row(const Metrics& metrics, const Alike& alike, const std::string& series) {
    const bool is_closed = alike.generators().front()->arrivals == ArrivalKind::closed;
    return {fmt::format("{}: {} to {} poll", alike.title(), is_closed ? "post" : "arrival",
                        series == "delivery" ? "receiver's" : "sender's"),
            alike.range(metrics, series + ".count"),
            alike.range(metrics, series + ".mean"),
            interval_text(metrics, alike, series + ".interval", ""),
            alike.least(metrics, series + ".min"),
            alike.range(metrics, series + ".p50"),
            alike.range(metrics, series + ".p99"),
            alike.most(metrics, series + ".max")};
}

// The longest mean of these generators' series.
std::uint64_t longest_mean(const Metrics& metrics, const Alike& alike, const std::string& series) {
    std::uint64_t longest = 0;
    for (const Traffic* const traffic : alike.generators()) {
        const Metric* const mean = metrics.find(fmt::format("traffic.{}.{}.mean", traffic->name, series));
        longest = std::max(longest, mean == nullptr ? 0 : mean->value);
    }
    return longest;
}

}  // namespace

std::string latency_text(const Loaded& loaded, const Metrics& metrics, const Paint& paint) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::uint64_t> means;
    const bool has_traffic = !loaded.scenario.traffic.empty();
    const std::vector<Alike> generators = alike_generators(loaded.scenario);
    std::set<std::pair<const Alike*, std::string>> told;
    for (const Metric& metric : metrics.all()) {
        if (!metric.name.ends_with(".mean")) {
            continue;
        }
        const std::string name = metric.name.substr(0, metric.name.size() - std::string_view(".mean").size());
        const std::string rest = name.substr(name.find('.') + 1);  // stream.latency, A.round_trip, A.send
        const std::string whose = rest.substr(0, rest.rfind('.'));
        if (name.starts_with("traffic.")) {
            const std::string series = rest.substr(rest.rfind('.') + 1);
            const auto alike = std::ranges::find_if(generators, [&](const Alike& each) { return each.has(whose); });
            if (alike != generators.end() && told.emplace(&*alike, series).second) {
                rows.push_back(latency_row(metrics, *alike, series));
                means.push_back(longest_mean(metrics, *alike, series));
            }
        } else if (name.starts_with("dma.")) {
            rows.push_back(
                latency_row(metrics, fmt::format("{}: {}", whose, dma_latency(loaded.scenario, whose)), name));
        } else if (name.starts_with("programs.")) {
            rows.push_back(latency_row(metrics, rest, name));
        } else if (name.starts_with("ledger.") && !has_traffic) {
            rows.push_back(latency_row(metrics, fmt::format("{}: post to poll", rest), name));
        }
        means.resize(rows.size(), metric.value);  // of a row that is new
    }
    if (rows.empty()) {
        return {};
    }
    Table table(
        {Align::left, Align::right, Align::right, Align::left, Align::right, Align::right, Align::right, Align::right});
    table.heading({"", "samples", "mean", "", "min", "p50", "p99", "max"});
    const std::vector<std::size_t> longest = foremost(means, kMostRows);
    for (const std::size_t place : longest) {
        table.row(std::move(rows[place]));
    }
    return "\n" + paint.strong("Latency") + "\n" + table.text(paint) +
           others_below(rows.size(), longest.size(), "with shorter means");
}

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/traffic_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "scenarios/measure/measured_rate.hpp"
#include "scenarios/measure/steadiness.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/foremost.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

constexpr std::string_view kNotSteady = "NOT STEADY";
constexpr std::uint64_t kHasFailed = std::numeric_limits<std::uint64_t>::max();  // as slow as can be
constexpr std::string_view kNotAll = "not all measured";
constexpr std::string_view kOverloaded =
    "  Not steady: the latencies of an open loop grow. Its messages arrive faster than they are served.\n";

std::string interval_of(const Metric& interval) {  // in parts per million
    return "+- " + decimal((interval.value + 50) / 100, 2) + " %";
}

bool is_not_steady(const Metrics& metrics, const std::string& prefix) {
    const Metric* const steady = metrics.find(prefix + ".steady");
    return steady != nullptr && steady->value == 0;
}

// ", NOT STEADY" of all, ", 2 of them NOT STEADY", or nothing.
std::string of_them(std::ptrdiff_t some, std::size_t all, std::string_view what) {
    return some == 0                               ? ""
           : static_cast<std::size_t>(some) == all ? fmt::format(", {}", what)
                                                   : fmt::format(", {} of them {}", some, what);
}

// Whether the window of a generator of `count` messages or transfers is complete, however the run ended.
bool is_all_measured(const Metrics& metrics, const std::string& prefix, const Measure& measure, std::uint64_t count) {
    const Metric* const measured = metrics.find(prefix + ".measured");
    return measured != nullptr && measured->value == MeasuredRate(measure, count).window();
}

// How far to trust a rate.
std::string trust(const Metrics& metrics, const std::string& prefix, bool all_measured) {
    if (!all_measured) {
        return std::string(kNotAll);
    }
    return interval_text(metrics, prefix, "-") + of_them(is_not_steady(metrics, prefix) ? 1 : 0, 1, kNotSteady);
}

// How far to trust the least certain of their rates.
std::string trust(const Metrics& metrics, const Alike& alike, const Measure& measure) {
    const std::vector<const Traffic*>& all = alike.generators();
    const auto cut = std::ranges::count_if(all, [&](const Traffic* traffic) {
        return !is_all_measured(metrics, "traffic." + traffic->name, measure, traffic->count);
    });
    if (cut > 0) {
        return of_them(cut, all.size(), kNotAll).substr(2);
    }
    const auto unsteady = std::ranges::count_if(
        all, [&](const Traffic* traffic) { return is_not_steady(metrics, "traffic." + traffic->name); });
    return interval_text(metrics, alike, "interval", "-") + of_them(unsteady, all.size(), kNotSteady);
}

std::string not_steady(std::string_view advice) {
    return fmt::format(
        "  Not steady: the halves of the measured window differ. {} (count), or measure later\n  (measure.warmup).\n",
        advice);
}

// Whether the generator is not steady because its polls fall behind what arrives.
bool is_behind(const Metrics& metrics, const std::string& prefix) {
    const Metric* const polled = metrics.find(prefix + ".polled");
    return is_not_steady(metrics, prefix) && polled != nullptr &&
           !keep_up(polled->value, metrics.find(prefix + ".goodput")->value);
}

// Whether all that was polled in its window had arrived before.
bool is_late(const Metrics& metrics, const std::string& prefix) {
    const Metric* const polled = metrics.find(prefix + ".polled");
    return polled != nullptr && polled->value > 0 && metrics.find(prefix + ".goodput")->value == 0;
}

// The reason of the generators of which some are not steady; the worst one speaks for all.
std::string not_steady(const std::vector<Traffic>& traffic, const Metrics& metrics) {
    bool overloaded = false;
    for (const Traffic& each : traffic) {
        const std::string prefix = "traffic." + each.name;
        if (is_late(metrics, prefix)) {
            return fmt::format(
                "  Not steady: no data of {} arrives in its measured window; what is polled there had arrived before.\n"
                "  Send more messages (count).\n",
                each.name);
        }
        if (is_behind(metrics, prefix)) {
            return fmt::format(
                "  Not steady: data of {} arrives at {}, but its messages are polled at {}. Send more messages\n"
                "  (count) to see which of the rates lasts.\n",
                each.name, shown(metrics, prefix + ".goodput"), shown(metrics, prefix + ".polled"));
        }
        overloaded = overloaded || (each.arrivals != ArrivalKind::closed && is_not_steady(metrics, prefix));
    }
    return overloaded ? std::string(kOverloaded) : not_steady("Send more messages");
}

// How slow the slowest of these generators is; those whose messages failed come first.
std::uint64_t slowness(const Metrics& metrics, const Alike& alike) {
    std::uint64_t slowest = 0;
    for (const Traffic* const traffic : alike.generators()) {
        const std::string prefix = "traffic." + traffic->name;
        const Metric* const failed = metrics.find(prefix + ".failed");
        const Metric* const goodput = metrics.find(prefix + ".goodput");
        const bool has_failed = failed != nullptr && failed->value > 0;
        slowest = std::max(slowest, has_failed           ? kHasFailed
                                    : goodput == nullptr ? kHasFailed - 1
                                                         : kHasFailed - 1 - goodput->value);
    }
    return slowest;
}

// Generators that were done before, or had no time to transfer anything.
std::string without_part_text(const Scenario& scenario, const Metrics& metrics) {
    std::string text;
    for (const Traffic& traffic : scenario.traffic) {
        const std::string prefix = "traffic." + traffic.name;
        const Metric* const shared = metrics.find(prefix + ".shared_goodput");
        if (shared != nullptr && shared->value == 0 && metrics.find(prefix + ".messages")->value == traffic.count) {
            text += fmt::format("  {} transferred nothing in that time: raise its \"count\"\n", traffic.name);
        }
    }
    return text;
}

// "  Together to R: 98.04 Gbps, of 8 the slowest 12.25 Gbps, the fastest 12.26 Gbps"
std::string together_text(const Scenario& scenario, const Metrics& metrics) {
    constexpr std::string_view kSlowest = ".slowest";
    std::string text;
    for (const Metric& metric : metrics.all()) {
        if (!metric.name.starts_with("run.") || !metric.name.ends_with(kSlowest)) {
            continue;
        }
        const std::string prefix = metric.name.substr(0, metric.name.size() - kSlowest.size());  // run.to_R
        const std::size_t host = prefix.find('_');
        const std::size_t begin = prefix.find('.') + 1;
        text += fmt::format("  Together {} {}: {}; the slowest {}, the fastest {}{}\n",
                            prefix.substr(begin, host - begin), prefix.substr(host + 1),
                            shown(metrics, prefix + ".goodput"), figure(metric), shown(metrics, prefix + ".fastest"),
                            of_them(is_not_steady(metrics, prefix) ? 1 : 0, 1, kNotSteady));
    }
    const std::string without = without_part_text(scenario, metrics);
    if (text.empty() && without.empty()) {
        return {};
    }
    return text +
           fmt::format("  (shared goodput: in the {} in which all were measured)\n", shown(metrics, "run.measured")) +
           without;
}

}  // namespace

std::string shown(const Metrics& metrics, const std::string& name) {
    const Metric* const metric = metrics.find(name);
    return metric == nullptr ? "-" : figure(*metric);
}

std::string interval_text(const Metrics& metrics, const std::string& name, std::string_view none) {
    const Metric* const interval = metrics.find(name + ".interval");
    return interval == nullptr ? std::string(none) : interval_of(*interval);
}

std::string interval_text(const Metrics& metrics, const Alike& alike, std::string_view figure, std::string_view none) {
    const Metric* widest = nullptr;
    for (const Traffic* const traffic : alike.generators()) {
        const Metric* const interval = metrics.find(fmt::format("traffic.{}.{}", traffic->name, figure));
        if (interval == nullptr) {
            return std::string(none);
        }
        widest = widest == nullptr || interval->value > widest->value ? interval : widest;
    }
    return interval_of(*widest);
}

std::string traffic_text(const Loaded& loaded, const RunResult& result, const Paint& paint) {
    const Metrics& metrics = result.metrics;
    const std::vector<Traffic>& traffic = loaded.scenario.traffic;
    const bool share = std::ranges::any_of(traffic, [&](const Traffic& each) {
        return metrics.find("traffic." + each.name + ".shared_goodput") != nullptr;
    });
    std::vector<std::string> heads{"",         "",        "messages",     "failed",
                                   "measured", "goodput", "message rate", "95 % interval"};
    std::vector<std::string_view> figures{"messages", "failed", "measured", "goodput", "message_rate"};
    if (share) {
        heads.insert(heads.begin() + 6, "shared goodput");
        figures.insert(figures.begin() + 4, "shared_goodput");
    }
    std::vector<Align> aligned(heads.size(), Align::right);
    aligned[0] = aligned[1] = aligned.back() = Align::left;
    Table table(std::move(aligned));
    table.heading(std::move(heads));
    const std::vector<Alike> rows = alike_generators(loaded.scenario);
    std::vector<std::string> trusts;
    std::vector<std::uint64_t> slow;
    for (const Alike& alike : rows) {
        trusts.push_back(trust(metrics, alike, loaded.scenario.measure));
        slow.push_back(slowness(metrics, alike));
    }
    const bool unsteady =
        std::ranges::any_of(trusts, [](const std::string& trusted) { return trusted.ends_with(kNotSteady); });
    const std::vector<std::size_t> slowest = foremost(slow, kMostRows);
    for (const std::size_t place : slowest) {
        const Alike& alike = rows[place];
        std::vector<std::string> cells{alike.title(), alike.ends()};
        for (const std::string_view each : figures) {
            cells.push_back(alike.range(metrics, each));
        }
        cells.push_back(trusts[place]);
        table.row(std::move(cells));
    }
    const auto has_failed = [&slow](std::size_t place) { return slow[place] == kHasFailed; };
    const auto hidden = std::ranges::count(slow, kHasFailed) - std::ranges::count_if(slowest, has_failed);
    const std::string others =
        hidden == 0 ? "that are no slower" : fmt::format("that are no slower, {} of them with failures", hidden);
    const std::string text = "\n" + paint.strong("Traffic") + "\n" + table.text(paint) +
                             others_below(rows.size(), slowest.size(), others) +
                             together_text(loaded.scenario, metrics);
    return text + (unsteady ? not_steady(traffic, metrics) : "");
}

std::string dma_text(const Loaded& loaded, const RunResult& result, const Paint& paint) {
    const Metrics& metrics = result.metrics;
    Table table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "", "transfers", "measured", "rate", "transfer rate", "95 % interval"});
    bool unsteady = false;
    for (const DmaLoad& load : loaded.scenario.dma) {
        const std::string prefix = "dma." + load.name;
        const std::string trusted =
            trust(metrics, prefix, is_all_measured(metrics, prefix, loaded.scenario.measure, load.params.count));
        unsteady = unsteady || trusted.ends_with(kNotSteady);
        const std::string_view operation = kDmaOperationNames.at(static_cast<std::size_t>(load.params.operation));
        table.row({load.name, fmt::format("{} of {} on {}", operation, to_text(load.params.size), load.host),
                   shown(metrics, prefix + ".transfers"), shown(metrics, prefix + ".measured"),
                   shown(metrics, prefix + ".rate"), shown(metrics, prefix + ".transfer_rate"), trusted});
    }
    const std::string text = "\n" + paint.strong("DMA") + "\n" + table.text(paint);
    return text + (unsteady ? not_steady("Do more transfers") : "");
}

}  // namespace ndsim::cli

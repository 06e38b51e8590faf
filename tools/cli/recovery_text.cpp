// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/recovery_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "models/wire/fault_params.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

// A counter of a host's NIC, and its column.
struct Counter {
    std::string_view heading;
    std::string_view metric;
};
constexpr std::array kCounters{Counter{"packets again", "nic.requester.repeated"},
                               Counter{"timeouts", "nic.completer.timeouts"}, Counter{"NAKs", "nic.completer.naks"},
                               Counter{"of them RNR", "nic.completer.rnr_naks"}};

// The sum over hosts, "S1." and "S2.".
std::uint64_t sum_of(const Metrics& metrics, const std::vector<std::string>& hosts, std::string_view counter) {
    std::uint64_t sum = 0;
    for (const std::string& host : hosts) {
        const Metric* const metric = metrics.find(host + std::string(counter));
        sum += metric == nullptr ? 0 : metric->value;
    }
    return sum;
}

std::string hosts_text(const std::vector<std::string>& dotted) {
    std::vector<std::string> names;
    std::ranges::transform(dotted, std::back_inserter(names),
                           [](const std::string& host) { return host.substr(0, host.size() - 1); });
    return first_and_last(names);
}

// "  s0.R.drops: 3026 packets for this port that were dropped for lack of room"
std::string losses_text(const Metrics& metrics) {
    const auto is_loss = [](std::string_view name) {
        const std::string_view counter = name.substr(name.rfind('.') + 1);
        const bool of_faults = name.ends_with(fmt::format("_faults.{}", counter));
        return counter == "drops" || (of_faults && std::ranges::count(kLinkFaultNames, counter) > 0);
    };
    std::string text;
    for (const Metric& metric : metrics.all()) {
        if (metric.value > 0 && is_loss(metric.name)) {
            text += fmt::format("  {}: {} {}\n", metric.name, metric.value, metric.sentence);
        }
    }
    return text;
}

}  // namespace

std::string recovery_text(const Scenario& scenario, const Metrics& metrics, const AlikeHosts& alike,
                          const Paint& paint) {
    Table table({Align::left, Align::right, Align::right, Align::right, Align::right});
    std::vector<std::string> headings{""};
    for (const Counter& counter : kCounters) {
        headings.emplace_back(counter.heading);
    }
    table.heading(std::move(headings));
    bool any = false;
    std::vector<std::string> hosts;
    for (const Host& host : scenario.hosts) {
        hosts.push_back(host.name + ".");
    }
    for (const std::vector<std::string>& group : alike.groups(hosts)) {
        std::vector<std::string> cells{hosts_text(group)};
        std::uint64_t all = 0;
        for (const Counter& counter : kCounters) {
            const std::uint64_t sum = sum_of(metrics, group, counter.metric);
            all += sum;
            cells.push_back(std::to_string(sum));
        }
        if (all > 0) {
            any = true;
            table.row(std::move(cells));
        }
    }
    const std::string text = (any ? table.text(paint) : "") + losses_text(metrics);
    return text.empty() ? text : "\n" + paint.strong("Recovery") + ": in the whole run\n" + text;
}

}  // namespace ndsim::cli

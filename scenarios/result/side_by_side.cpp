// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "scenarios/format/routes.hpp"

namespace ndsim {

namespace {

constexpr std::string_view kInterval = "half the 95 % interval of that rate, by batch means";

// Source and target host of a generator's payload; a Read's payload comes from the peer.
struct Flow {
    std::string from;
    std::string to;
};

Flow flow_of(const Traffic& traffic) {
    const Flow flow{traffic.from.host, traffic.to.host};
    return traffic.operation == TrafficOperation::read ? Flow{flow.to, flow.from} : flow;
}

// Those of one host.
void add_host(const Scenario& scenario, const std::string& host, std::vector<Together>& groups) {
    Together into{"to_" + host, {}};
    Together out{"from_" + host, {}};
    std::set<std::string> receivers;
    for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
        const Flow flow = flow_of(scenario.traffic[i]);
        if (flow.to == host) {
            into.generators.push_back(i);
        }
        if (flow.from == host) {
            out.generators.push_back(i);
            receivers.insert(flow.to);
        }
    }
    if (!into.generators.empty()) {
        groups.push_back(std::move(into));
    }
    if (receivers.size() > 1) {  // otherwise they are among those of the one receiver
        groups.push_back(std::move(out));
    }
}

// Those of lanes.
void add_lanes(const Scenario& scenario, std::vector<Together>& groups) {
    const Routes routes(scenario);
    std::map<std::string, std::vector<std::size_t>> lanes;
    for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
        for (const RouteStep& step : routes.way_of_payload(scenario.traffic[i])) {
            lanes[step.lane()].push_back(i);
        }
    }
    std::set<std::vector<std::size_t>> known;
    for (const Together& group : groups) {
        known.insert(group.generators);
    }
    for (auto& [lane, generators] : lanes) {
        if (generators.size() > 1 && known.insert(generators).second) {
            groups.push_back({"on_" + lane, std::move(generators)});
        }
    }
}

void add_group(const Scenario& scenario, const Together& group, const SharedWindow& shared, Metrics& metrics) {
    std::vector<std::uint64_t> parts;
    std::optional<bool> steady;
    for (const std::size_t index : group.generators) {
        const std::string& generator = scenario.traffic[index].name;
        if (const Metric* const part = metrics.find("traffic." + generator + ".shared_goodput")) {
            parts.push_back(part->value);
            if (part->value == 0) {
                steady = false;  // it was done before all were warm, or it starved
            }
        }
        if (const Metric* const known = metrics.find("traffic." + generator + ".steady")) {
            steady = steady.value_or(true) && known->value == 1;
        }
    }
    if (parts.size() < group.generators.size()) {
        return;
    }
    const std::string prefix = "run." + group.name;
    metrics.add(prefix + ".goodput", std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}), Quantity::rate,
                "shared_goodput of its generators, added up");
    metrics.add(prefix + ".interval", shared.half_interval_ppm(group.generators), Quantity::fraction, kInterval);
    if (parts.size() > 1 && !group.name.starts_with("on_")) {
        metrics.add(prefix + ".slowest", *std::ranges::min_element(parts), Quantity::rate,
                    "lowest shared_goodput of its generators");
        metrics.add(prefix + ".fastest", *std::ranges::max_element(parts), Quantity::rate,
                    "highest shared_goodput of its generators");
    }
    metrics.add(prefix + ".steady", steady, std::nullopt,
                "whether all of its generators are steady, and were measured in the shared time");
}

}  // namespace

std::vector<Together> generators_together(const Scenario& scenario) {
    std::vector<Together> groups;
    for (const Host& host : scenario.hosts) {
        add_host(scenario, host.name, groups);
    }
    add_lanes(scenario, groups);
    return groups;
}

void add_side_by_side(const Scenario& scenario, const SharedWindow& shared, Metrics& metrics) {
    if (scenario.traffic.size() + scenario.dma.size() < 2) {
        return;  // the same as its goodput
    }
    for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
        const std::string prefix = "traffic." + scenario.traffic[i].name;
        metrics.add_rate(prefix + ".shared_goodput", shared.bytes_per_second(i),
                         "payload received per second of run.measured");
        metrics.add(prefix + ".shared_interval", shared.half_interval_ppm(std::array{i}), Quantity::fraction,
                    kInterval);
    }
    for (std::size_t i = 0; i < scenario.dma.size(); ++i) {
        metrics.add_rate("dma." + scenario.dma[i].name + ".shared_rate",
                         shared.bytes_per_second(scenario.traffic.size() + i), "payload per second of run.measured");
    }
    if (scenario.traffic.size() < 2) {
        return;
    }
    for (const Together& group : generators_together(scenario)) {
        add_group(scenario, group, shared, metrics);
    }
}

}  // namespace ndsim

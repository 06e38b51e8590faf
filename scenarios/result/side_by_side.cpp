// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ndsim {

namespace {

// Source and target host of a generator's payload; a Read's payload comes from the peer.
struct Flow {
    std::string from;
    std::string to;
};

Flow flow_of(const Traffic& traffic) {
    const Flow flow{traffic.from.host, traffic.to.host};
    return traffic.operation == TrafficOperation::read ? Flow{flow.to, flow.from} : flow;
}

// Generators whose payload goes to one host, or comes from one.
struct Together {
    std::string name;  // to_R
    std::vector<std::string> generators;
};

std::vector<Together> groups_of(const Scenario& scenario) {
    std::vector<Together> groups;
    for (const Host& host : scenario.hosts) {
        Together into{"to_" + host.name, {}};
        Together out{"from_" + host.name, {}};
        std::set<std::string> receivers;
        for (const Traffic& traffic : scenario.traffic) {
            const Flow flow = flow_of(traffic);
            if (flow.to == host.name) {
                into.generators.push_back(traffic.name);
            }
            if (flow.from == host.name) {
                out.generators.push_back(traffic.name);
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
    return groups;
}

void add_group(const Together& group, Metrics& metrics) {
    std::vector<std::uint64_t> parts;
    std::optional<bool> steady;
    for (const std::string& generator : group.generators) {
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
    if (parts.size() > 1) {
        metrics.add(prefix + ".slowest", *std::ranges::min_element(parts), Quantity::rate,
                    "lowest shared_goodput of its generators");
        metrics.add(prefix + ".fastest", *std::ranges::max_element(parts), Quantity::rate,
                    "highest shared_goodput of its generators");
    }
    metrics.add(prefix + ".steady", steady, std::nullopt,
                "whether all of its generators are steady, and were measured in the shared time");
}

}  // namespace

void add_side_by_side(const Scenario& scenario, const SharedWindow& shared, Metrics& metrics) {
    if (scenario.traffic.size() + scenario.dma.size() < 2) {
        return;  // the same as its goodput
    }
    for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
        metrics.add_rate(fmt::format("traffic.{}.shared_goodput", scenario.traffic[i].name), shared.bytes_per_second(i),
                         "payload received per second of run.measured");
    }
    if (scenario.traffic.size() < 2) {
        return;
    }
    for (const Together& group : groups_of(scenario)) {
        add_group(group, metrics);
    }
}

}  // namespace ndsim

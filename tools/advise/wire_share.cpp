// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/wire_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "models/proto/message_bytes.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/routes.hpp"
#include "sim/base/histogram.hpp"

namespace ndsim::advise {

namespace {

Operation payload_operation(TrafficOperation operation) {
    switch (operation) {
        case TrafficOperation::send:
            return Operation::send;
        case TrafficOperation::write:
            return Operation::write;
        case TrafficOperation::read:
            break;
    }
    return Operation::read_response;
}

// The payload rate of a generator on a link that carries nothing else.
Bandwidth rate_on(const Scenario& scenario, const Traffic& traffic, const LinkParams& link) {
    const std::uint32_t mtu = path_mtu(scenario, traffic);
    std::uint64_t payload = 0;
    std::uint64_t lane = 0;
    for (const Bytes size : traffic.sizes) {
        payload += size.count;
        lane += message_wire_bytes(payload_operation(traffic.operation), static_cast<std::uint32_t>(size.count), mtu,
                                   link.framing);
    }
    return {static_cast<std::uint64_t>(WideSum{link.rate.bits_per_second} * payload / lane)};
}

// One direction of a link.
struct Step {
    const Link* link;
    std::string from;
    std::string to;
    [[nodiscard]] std::string name() const { return fmt::format("{}_{}_to_{}", link->name, from, to); }
};

// The lanes from one host to another, in the order of a packet's way. A host has one link.
std::vector<Step> way_of(const Scenario& scenario, const Routes& routes, const Traffic& traffic) {
    const bool is_read = traffic.operation == TrafficOperation::read;
    std::string at = (is_read ? traffic.to : traffic.from).host;
    const std::string& to = (is_read ? traffic.from : traffic.to).host;
    const auto host = std::ranges::find(scenario.hosts, to, &Host::name) - scenario.hosts.begin();
    const Link* link = &*std::ranges::find_if(
        scenario.links, [&](const Link& each) { return each.between[0] == at || each.between[1] == at; });
    std::vector<Step> way;
    while (link != nullptr) {
        const std::string& other = link->between[0] == at ? link->between[1] : link->between[0];
        way.push_back({link, at, other});
        at = other;
        const auto found = std::ranges::find(scenario.switches, at, &NetworkSwitch::name);
        const auto next = found == scenario.switches.end()
                              ? std::nullopt
                              : routes.link_to(static_cast<std::size_t>(found - scenario.switches.begin()),
                                               static_cast<std::size_t>(host));
        link = next ? &scenario.links[*next] : nullptr;
    }
    return way;
}

// The lanes on the way of each generator.
std::vector<std::vector<Step>> all_ways(const Scenario& scenario) {
    const Routes routes(scenario);
    std::vector<std::vector<Step>> ways;
    std::ranges::transform(scenario.traffic, std::back_inserter(ways),
                           [&](const Traffic& traffic) { return way_of(scenario, routes, traffic); });
    return ways;
}

// The lane that counts for each generator.
std::vector<const Step*> narrowest(const std::vector<std::vector<Step>>& ways) {
    std::map<std::string, std::uint64_t> generators;
    for (const std::vector<Step>& way : ways) {
        for (const Step& step : way) {
            ++generators[step.name()];
        }
    }
    std::vector<const Step*> counting;
    for (const std::vector<Step>& way : ways) {
        const auto share = [&](const Step& step) {
            return step.link->params.rate.bits_per_second / generators.at(step.name());
        };
        counting.push_back(&*std::ranges::min_element(way.rbegin(), way.rend(), {}, share));
    }
    return counting;
}

// The index of a scenario's generator; a copy has the name of its original.
std::size_t index_of(const Scenario& scenario, const Traffic& traffic) {
    return static_cast<std::size_t>(std::ranges::find(scenario.traffic, traffic.name, &Traffic::name) -
                                    scenario.traffic.begin());
}

}  // namespace

std::vector<SharedLane> lanes_that_count(const Scenario& scenario) {
    const std::vector<std::vector<Step>> ways = all_ways(scenario);
    std::map<std::string, SharedLane> lanes;
    for (const Step* const step : narrowest(ways)) {
        lanes[step->name()].name = step->name();
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
        for (const Step& step : ways[i]) {
            if (const auto lane = lanes.find(step.name()); lane != lanes.end()) {
                const Traffic& traffic = scenario.traffic[i];
                lane->second.shares.push_back({&traffic, rate_on(scenario, traffic, step.link->params)});
            }
        }
    }
    std::vector<SharedLane> counting;
    for (auto& [name, lane] : lanes) {
        counting.push_back(std::move(lane));
    }
    return counting;
}

std::string payload_lane(const Scenario& scenario, const Traffic& traffic) {
    const std::vector<std::vector<Step>> ways = all_ways(scenario);
    return narrowest(ways)[index_of(scenario, traffic)]->name();
}

Bandwidth payload_rate(const Scenario& scenario, const Traffic& traffic) {
    const std::vector<std::vector<Step>> ways = all_ways(scenario);
    return rate_on(scenario, traffic, narrowest(ways)[index_of(scenario, traffic)]->link->params);
}

std::uint32_t path_mtu(const Scenario& scenario, const Traffic& traffic) {
    return std::min(host_at(scenario, traffic.from).node.nic.queues.mtu,
                    host_at(scenario, traffic.to).node.nic.queues.mtu);
}

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/wire_share.hpp"

#include <algorithm>
#include <iterator>
#include <map>
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

// The lanes on the way of each generator's payload.
std::vector<std::vector<RouteStep>> all_ways(const Scenario& scenario) {
    const Routes routes(scenario);
    std::vector<std::vector<RouteStep>> ways;
    std::ranges::transform(scenario.traffic, std::back_inserter(ways),
                           [&](const Traffic& traffic) { return routes.way_of_payload(traffic); });
    return ways;
}

// The lane that counts for each generator.
std::vector<const RouteStep*> narrowest(const std::vector<std::vector<RouteStep>>& ways) {
    std::map<std::string, std::uint64_t> generators;
    for (const std::vector<RouteStep>& way : ways) {
        for (const RouteStep& step : way) {
            ++generators[step.lane()];
        }
    }
    std::vector<const RouteStep*> counting;
    for (const std::vector<RouteStep>& way : ways) {
        const auto share = [&](const RouteStep& step) {
            return step.link->params.rate.bits_per_second / generators.at(step.lane());
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
    const std::vector<std::vector<RouteStep>> ways = all_ways(scenario);
    std::map<std::string, SharedLane> lanes;
    for (const RouteStep* const step : narrowest(ways)) {
        lanes[step->lane()].name = step->lane();
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
        for (const RouteStep& step : ways[i]) {
            if (const auto lane = lanes.find(step.lane()); lane != lanes.end()) {
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
    const std::vector<std::vector<RouteStep>> ways = all_ways(scenario);
    return narrowest(ways)[index_of(scenario, traffic)]->lane();
}

Bandwidth payload_rate(const Scenario& scenario, const Traffic& traffic) {
    const std::vector<std::vector<RouteStep>> ways = all_ways(scenario);
    return rate_on(scenario, traffic, narrowest(ways)[index_of(scenario, traffic)]->link->params);
}

std::uint32_t path_mtu(const Scenario& scenario, const Traffic& traffic) {
    return std::min(host_at(scenario, traffic.from).node.nic.queues.mtu,
                    host_at(scenario, traffic.to).node.nic.queues.mtu);
}

}  // namespace ndsim::advise

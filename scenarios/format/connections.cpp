// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/connections.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace ndsim {

const QueuePair* find_queue_pair(const Host& host, std::string_view name) {
    const auto qp = std::ranges::find(host.qps, name, &QueuePair::name);
    return qp == host.qps.end() ? nullptr : &*qp;
}

const Host& host_at(const Scenario& scenario, const Endpoint& end) {
    return *std::ranges::find(scenario.hosts, end.host, &Host::name);
}

const QueuePair& queue_pair_at(const Scenario& scenario, const Endpoint& end) {
    return *find_queue_pair(host_at(scenario, end), end.name);
}

// One side of each pair names the other.
Endpoint peer_of(const Scenario& scenario, const Endpoint& qp) {
    for (const Host& host : scenario.hosts) {
        for (const QueuePair& each : host.qps) {
            if (each.connect == qp) {
                return {host.name, each.name};
            }
        }
    }
    return queue_pair_at(scenario, qp).connect;
}

std::string receives_of(const Scenario& scenario, const Endpoint& qp) {
    const std::string& srq = queue_pair_at(scenario, qp).srq;
    return srq.empty() ? qp.text() : "shared receive queue " + qp.host + "." + srq;
}

std::vector<std::size_t> joined_hosts(const Scenario& scenario) {
    std::vector<std::size_t> first(scenario.hosts.size());
    std::iota(first.begin(), first.end(), std::size_t{0});
    const auto root_of = [&first](std::size_t host) {
        while (first[host] != host) {
            host = first[host];
        }
        return host;
    };
    std::map<std::string_view, std::size_t> numbers;
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        numbers[scenario.hosts[i].name] = i;
    }
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        for (const QueuePair& qp : scenario.hosts[i].qps) {
            if (!qp.connect.empty()) {
                const auto [lower, higher] = std::minmax({root_of(i), root_of(numbers.at(qp.connect.host))});
                first[higher] = lower;
            }
        }
    }
    std::ranges::generate(first, [&, host = std::size_t{0}]() mutable { return root_of(host++); });
    return first;
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/connections.hpp"

#include <algorithm>

namespace ndsim {

namespace {

const QueuePair* find_queue_pair(const Scenario& scenario, const Endpoint& end) {
    const auto host = std::ranges::find(scenario.hosts, end.host, &Host::name);
    if (host == scenario.hosts.end()) {
        return nullptr;
    }
    const auto qp = std::ranges::find(host->qps, end.name, &QueuePair::name);
    return qp == host->qps.end() ? nullptr : &*qp;
}

}  // namespace

const Host& host_at(const Scenario& scenario, const Endpoint& end) {
    return *std::ranges::find(scenario.hosts, end.host, &Host::name);
}

const QueuePair& queue_pair_at(const Scenario& scenario, const Endpoint& end) {
    return *find_queue_pair(scenario, end);
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

}  // namespace ndsim

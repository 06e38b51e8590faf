// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/connections.hpp"

#include <algorithm>

namespace ndsim {

namespace {

const QueuePair& queue_pair(const Scenario& scenario, const std::string& name) {
    const auto dot = name.find('.');
    const auto& qps = std::ranges::find(scenario.hosts, name.substr(0, dot), &Host::name)->qps;
    return *std::ranges::find(qps, name.substr(dot + 1), &QueuePair::name);
}

}  // namespace

// One side of each pair names the other.
std::string peer_of(const Scenario& scenario, const std::string& qp) {
    for (const Host& host : scenario.hosts) {
        for (const QueuePair& each : host.qps) {
            if (each.connect == qp) {
                return host.name + "." + each.name;
            }
        }
    }
    return queue_pair(scenario, qp).connect;
}

std::string receives_of(const Scenario& scenario, const std::string& qp) {
    const std::string& srq = queue_pair(scenario, qp).srq;
    return srq.empty() ? qp : "shared receive queue " + qp.substr(0, qp.find('.')) + "." + srq;
}

}  // namespace ndsim

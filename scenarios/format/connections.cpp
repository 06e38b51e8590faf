// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/connections.hpp"

#include <algorithm>

#include "scenarios/format/tree.hpp"

namespace ndsim {

namespace {

const QueuePair* find_queue_pair(const Scenario& scenario, const std::string& name) {
    const format::Reference reference = format::split_reference(name);
    const auto host = std::ranges::find(scenario.hosts, reference.host, &Host::name);
    if (host == scenario.hosts.end()) {
        return nullptr;
    }
    const auto qp = std::ranges::find(host->qps, reference.name, &QueuePair::name);
    return qp == host->qps.end() ? nullptr : &*qp;
}

}  // namespace

bool is_queue_pair(const Scenario& scenario, const std::string& name) {
    return find_queue_pair(scenario, name) != nullptr;
}

// One side of each pair names the other.
std::string peer_of(const Scenario& scenario, const std::string& qp) {
    for (const Host& host : scenario.hosts) {
        for (const QueuePair& each : host.qps) {
            if (each.connect == qp) {
                return host.name + "." + each.name;
            }
        }
    }
    return find_queue_pair(scenario, qp)->connect;
}

std::string receives_of(const Scenario& scenario, const std::string& qp) {
    const std::string& srq = find_queue_pair(scenario, qp)->srq;
    return srq.empty() ? qp : "shared receive queue " + qp.substr(0, qp.find('.')) + "." + srq;
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/alike.hpp"

#include <vector>

#include "sim/config/params.hpp"
#include "tools/advise/ends.hpp"

namespace ndsim::advise {

namespace {

template <class S>
std::string values_of(S params) {
    std::string values;
    for (const Param& param : params_of(params, "")) {
        values += param.path() + "=" + param.current() + "\n";
    }
    return values;
}

// All that a search sees of a host; the same for hosts that are alike.
std::string look_of(const Scenario& scenario, const Host& host) {
    std::string look = host.preset + "\n" + values_of(host.node);
    for (const QueuePair& qp : host.qps) {
        look += values_of(qp) + qp.srq + "\n";
    }
    for (const CompletionQueue& cq : host.cqs) {
        look += values_of(cq);
    }
    for (const Traffic& traffic : scenario.traffic) {
        const std::string from = host_of(traffic.from);
        const std::string to = host_of(traffic.to);
        if (from == host.name || to == host.name) {
            look += (from == host.name ? "to " + to : "from " + from) + "\n" + values_of(traffic);
            for (const Bytes size : traffic.sizes) {
                look += std::to_string(size.count) + "\n";
            }
        }
    }
    // A program is its host's own.
    return host.program ? look + host.name : look;
}

}  // namespace

std::map<std::string, std::string> alike_hosts(const Scenario& scenario) {
    std::map<std::string, std::vector<std::string>> hosts_by_look;
    for (const Host& host : scenario.hosts) {
        hosts_by_look[look_of(scenario, host)].push_back(host.name);
    }
    std::map<std::string, std::string> names;
    for (const auto& [look, hosts] : hosts_by_look) {
        for (const std::string& host : hosts) {
            names[host] = hosts.size() == 1 ? host : hosts.front() + " .. " + hosts.back();
        }
    }
    return names;
}

}  // namespace ndsim::advise

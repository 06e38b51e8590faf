// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/host_programs.hpp"

#include <algorithm>
#include <stdexcept>

namespace ndsim {

std::set<std::string> hosts_of(const std::map<std::string, HostProgram>& programs) {
    std::set<std::string> hosts;
    for (const auto& [host, program] : programs) {
        hosts.insert(host);
    }
    return hosts;
}

void refuse_clashes(const Scenario& scenario, const std::map<std::string, HostProgram>& programs) {
    for (const std::string& host : hosts_of(programs)) {
        if (std::ranges::find(scenario.hosts, host, &Host::name) == scenario.hosts.end()) {
            throw std::invalid_argument("a C++ program is for host " + host + ", which the scenario does not have");
        }
    }
    for (const Traffic& traffic : scenario.traffic) {
        for (const std::string& host : {traffic.from.host, traffic.to.host}) {
            if (programs.contains(host)) {
                throw std::invalid_argument("host " + host + " runs a C++ program, so generator " + traffic.name +
                                            " cannot use it");
            }
        }
    }
}

std::map<std::string, HostProgram> possible_programs(const Scenario& scenario) {
    std::map<std::string, HostProgram> programs;
    for (const Host& host : scenario.hosts) {
        const auto uses = [&](const Traffic& traffic) {
            return traffic.from.host == host.name || traffic.to.host == host.name;
        };
        if (!host.program && std::ranges::none_of(scenario.traffic, uses)) {
            programs[host.name] = [](auto&) {};
        }
    }
    return programs;
}

}  // namespace ndsim

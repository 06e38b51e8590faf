// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/alike.hpp"

#include <vector>

#include "tools/cli/alike_hosts.hpp"

namespace ndsim::advise {

std::map<std::string, std::string> names_together(const Scenario& scenario) {
    const cli::AlikeHosts alike(scenario);
    std::map<std::string, std::vector<std::string>> groups;
    for (const Host& host : scenario.hosts) {
        groups[alike.key(host.name + ".")].push_back(host.name);
    }
    std::map<std::string, std::string> names;
    for (const auto& [key, hosts] : groups) {
        for (const std::string& host : hosts) {
            names[host] = cli::first_and_last(hosts);
        }
    }
    return names;
}

}  // namespace ndsim::advise

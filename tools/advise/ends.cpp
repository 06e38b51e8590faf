// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/ends.hpp"

#include <algorithm>

namespace ndsim::advise {

std::string host_of(const std::string& end) {
    return end.substr(0, end.find('.'));
}

const Host& host_at(const Scenario& scenario, const std::string& end) {
    return *std::ranges::find(scenario.hosts, host_of(end), &Host::name);
}

}  // namespace ndsim::advise

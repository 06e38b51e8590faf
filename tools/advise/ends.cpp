// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/ends.hpp"

#include <algorithm>

namespace ndsim::advise {

const Host& host_at(const Scenario& scenario, const Endpoint& end) {
    return *std::ranges::find(scenario.hosts, end.host, &Host::name);
}

}  // namespace ndsim::advise

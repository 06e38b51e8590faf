// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/quantity.hpp"
#include "tools/sensitivity/idle.hpp"

namespace ndsim::sensitivity {

// Factor: a parameter of the hardware or of the software's costs that may influence a figure. If all hosts, or all
// links, have the same value, it is one factor.
struct Factor {
    std::string name;                  // nic.rx_pipe for all hosts, hosts.A.nic.rx_pipe for one
    std::vector<std::string> paths;    // as --set takes them
    std::optional<Quantity> quantity;  // none: a count
    std::string value;
    std::optional<std::string> low;  // the ends of its range; none: no such value, or one known to have no effect
    std::optional<std::string> high;
    bool is_estimate = false;  // estimated, or from memory: neither seen in a source nor chosen by the scenario
    std::string_view reason;   // of the range
};

// The numeric factors of hosts, links and switches, without those that have no effect within their range. One that is 0
// may have no end, as most ranges are relative to the value.
[[nodiscard]] std::vector<Factor> factors_of(const Scenario& scenario, const Idle& idle);

}  // namespace ndsim::sensitivity

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::sensitivity {

// Factor: a parameter of the hardware or of the software's costs that a figure may depend on. Where all hosts, or all
// links, have the same value, it is one factor.
struct Factor {
    std::string name;                  // nic.rx_pipe of all hosts, hosts.A.nic.rx_pipe of one
    std::vector<std::string> paths;    // as --set takes them
    std::optional<Quantity> quantity;  // none: a count
    std::string value;
    std::optional<std::string> low;  // the ends of its range; none: there is no such value
    std::optional<std::string> high;
    bool is_estimate = false;  // estimated, or from memory: not seen in a source, and not chosen by the scenario
    std::string_view reason;   // of the range
};

// Those of hosts, links and switches that are numbers, without those that a run did not depend on.
[[nodiscard]] std::vector<Factor> factors_of(const Scenario& scenario, const std::set<std::string>& without_effect);

}  // namespace ndsim::sensitivity

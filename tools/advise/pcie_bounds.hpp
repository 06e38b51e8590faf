// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/fixed_bounds.hpp"

namespace ndsim::advise {

// What each direction of the host's PCIe link carries at most of the payload that takes it, one TLP behind the other:
// downwards in completions of the NIC's reads, upwards in its writes. None for messages that are carried in WQEs.
[[nodiscard]] std::vector<Bound> pcie_bounds(const Scenario& scenario, const Host& host);

}  // namespace ndsim::advise

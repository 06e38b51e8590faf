// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// An upper bound of the payload rate and of the messages, by a formula of docs/advise.md.
struct Bound {
    std::string what;
    std::uint64_t rate = 0;      // bits per second
    std::uint64_t messages = 0;  // per second
    bool is_of_all = false;      // it holds for the sum of all generators
};

// Bounds that no depth changes, for all generators of a host together: the wire, the host's PCIe link, the message
// rates of queue pairs and NIC, and the work of their cores for each message; the work of cores that receive; and for
// all that read from a host: how soon it starts Reads.
[[nodiscard]] std::vector<Bound> fixed_bounds(const Scenario& scenario);

}  // namespace ndsim::advise

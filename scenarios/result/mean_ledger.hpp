// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// The mean ledger of one kind of request on one host.
struct MeanLedger {
    std::string host;
    std::string operation;
    std::uint64_t requests = 0;
    Picoseconds mean_total{};
    std::vector<std::pair<std::string, Picoseconds>>
        accounts;  // those that are not zero, in the order of a Send's life
};

}  // namespace ndsim

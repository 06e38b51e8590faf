// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/measure/metrics.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// A carrier of bytes at a fixed rate, one direction of a cable or of a PCIe link, and its busy share of the measured
// time.
struct Busy {
    std::string what;  // l0_A_to_B, A.pcie up
    std::uint64_t per_mille = 0;
};

// Busiest first.
[[nodiscard]] std::vector<Busy> busy_shares(const Metrics& metrics);
// One line; empty if nothing was busy.
[[nodiscard]] std::string busy_text(const std::vector<Busy>& shares, const Paint& paint);

}  // namespace ndsim::cli

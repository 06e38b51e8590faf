// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/advise/dimension.hpp"
#include "tools/advise/search.hpp"

namespace ndsim::advise {

// What depths cost: memory in the NIC and in hosts, or the sum of weights that the user gives.
[[nodiscard]] std::uint64_t chip_bytes(const std::vector<Dimension>& dimensions, const Depths& depths);
[[nodiscard]] std::uint64_t host_bytes(const std::vector<Dimension>& dimensions, const Depths& depths);
[[nodiscard]] std::uint64_t weight_of(const std::vector<Dimension>& dimensions, const Depths& depths);
[[nodiscard]] bool has_weights(const std::vector<Dimension>& dimensions);

// To be compared: of two sets of depths the cheaper one is less. Memory in the NIC comes first.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> cost_of(const std::vector<Dimension>& dimensions,
                                                              const Depths& depths);

// "pcie.tags=512": each costs so much. UsageError if it says something else, or if no dimension goes by that name.
void give_weights(std::vector<Dimension>& dimensions, const std::vector<std::string>& texts);

}  // namespace ndsim::advise

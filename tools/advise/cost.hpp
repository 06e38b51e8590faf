// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/advise/dimension.hpp"
#include "tools/advise/search.hpp"

namespace ndsim::advise {

// The cost of depths: memory in the NIC and in hosts, or the sum of the user's weights.
[[nodiscard]] std::uint64_t chip_bytes(const std::vector<Dimension>& dimensions, const Depths& depths);
[[nodiscard]] std::uint64_t host_bytes(const std::vector<Dimension>& dimensions, const Depths& depths);
[[nodiscard]] std::uint64_t weight_of(const std::vector<Dimension>& dimensions, const Depths& depths);
[[nodiscard]] bool has_weights(const std::vector<Dimension>& dimensions);

// For comparisons: the cheaper set of depths has the smaller cost. Memory in the NIC comes first.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> cost_of(const std::vector<Dimension>& dimensions,
                                                              const Depths& depths);

// "pcie.tags=512": each costs this much. UsageError for any other text, or if no dimension has that name.
void give_weights(std::vector<Dimension>& dimensions, const std::vector<std::string>& texts);

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"

namespace ndsim::advise {

// The range of a depth of a host: at least 1, as a depth of 0 is none.
struct DepthRange {
    std::uint64_t low = 1;
    std::uint64_t high = 1;
};
[[nodiscard]] DepthRange range_of(const std::string& parameter);

// How far the search goes beyond the scenario's value of a named depth.
[[nodiscard]] std::uint64_t generous_of(std::uint64_t own, std::uint64_t high);

// A parameter named for the search by its path: of a host, a switch or a generator, a whole number or a size. Sizes go
// in steps. UsageError for anything else.
[[nodiscard]] Dimension named_dimension(const Scenario& scenario, const std::string& path);

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/problems.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

// Axis: one dimension of a sweep. At each step each of its paths, as --set takes them, gets one value.
struct Axis {
    std::vector<std::string> paths;
    std::vector<std::vector<std::string>> steps;
    Position at{};  // in the scenario's file; zeros: from the command line
};

// More points would not finish in a lifetime, and are a typing error.
inline constexpr std::uint64_t kMostPoints = 1'000'000;

// The number of points of all combinations; at most kMostPoints + 1.
[[nodiscard]] std::uint64_t points_of(const std::vector<Axis>& axes);
// path=value for each path of the point, counted from 0; the last axis changes fastest.
[[nodiscard]] std::vector<std::string> overrides_of(const std::vector<Axis>& axes, std::uint64_t point);

// The values of one entry of a list: itself, or a range of whole numbers with or without a unit: "1..4" by ones,
// "0..100+25" by steps, "64 B..4096 B*2" by factors.
[[nodiscard]] Parsed<std::vector<std::string>> values_of(std::string_view entry);
// "nic.sq.depth=1,2,4..64*2", with several paths "a,b=1:2,3:4" or, with the same values for all, "a,b=1,3".
[[nodiscard]] Parsed<Axis> parse_axis(std::string_view text);

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/measure/metrics.hpp"
#include "sim/base/units.hpp"

namespace ndsim::cli {

// Figures for people: four significant digits, in a suitable unit. Exact ones are in result.json.
[[nodiscard]] std::string figure(const Metric& metric);
[[nodiscard]] std::string figure(Picoseconds time);
// Microseconds to the nanosecond, for times whose order matters: "94.532".
[[nodiscard]] std::string microseconds(Picoseconds time);
// A decimal number and its unit with four significant digits: "85.56544 us" is 85.57 us. Any other
// text stays.
[[nodiscard]] std::string rounded(const std::string& exact);

inline constexpr std::uint64_t kTimeStep = 100;  // ps: tables show times in tenths of a nanosecond

// Each value in steps of `step`, rounded so that they add up to their sum in whole steps.
[[nodiscard]] std::vector<std::uint64_t> rounded_to_sum(std::span<const std::uint64_t> values, std::uint64_t step);
// The values' shares of their sum, in tenths of a per cent that add up to 100.0 %.
[[nodiscard]] std::vector<std::uint64_t> shares_to_sum(std::span<const std::uint64_t> values);
// An integer with an implied decimal point: 1234 with two decimals is 12.34.
[[nodiscard]] std::string decimal(std::uint64_t value, unsigned decimals);
// With a plus or minus sign, unless it is zero.
[[nodiscard]] std::string signed_decimal(std::int64_t value, unsigned decimals);
// A share in per cent with one decimal.
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace ndsim::cli

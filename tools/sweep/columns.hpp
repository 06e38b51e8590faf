// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/quantity.hpp"
#include "tools/sweep/results.hpp"

namespace ndsim::sweep {

// Which figures of the points of a sweep a table shows, by the names of their metrics.

// What is worth a column, if the caller asks for nothing: of generators side by side what they reach together, the
// slowest and the fastest of them; else the rates and latencies of generators, or what programs have timed.
[[nodiscard]] std::vector<std::string> columns_worth(const std::vector<PointRow>& rows);

// A figure of generators side by side: run.to_R.goodput, run.from_A.slowest.
[[nodiscard]] bool is_side_by_side(std::string_view name);
[[nodiscard]] bool is_rate(std::optional<Quantity> quantity);
// The metric that says whether the rate is steady from which a figure comes: run.to_R.steady.
[[nodiscard]] std::string steadiness_of(const std::string& name);

}  // namespace ndsim::sweep

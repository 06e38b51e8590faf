// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/quantity.hpp"
#include "tools/sweep/results.hpp"

namespace ndsim::sweep {

// The figures of a sweep's points in a table, by the names of their metrics.

// The default columns: for generators side by side their sum, the slowest and the fastest; otherwise the rates and
// latencies of generators, or the times of programs.
[[nodiscard]] std::vector<std::string> columns_worth(const std::vector<PointRow>& rows);

// A figure of generators side by side: run.to_R.goodput, run.from_A.slowest.
[[nodiscard]] bool is_side_by_side(std::string_view name);
[[nodiscard]] bool is_rate(std::optional<Quantity> quantity);
// The metric that tells whether the rate behind a figure is steady: run.to_R.steady.
[[nodiscard]] std::string steadiness_of(const std::string& name);

}  // namespace ndsim::sweep

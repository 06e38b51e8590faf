// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/report/line_plot.hpp"
#include "tools/report/swept.hpp"

namespace ndsim::report {

// The metrics of a sweep for pictures, as places in Swept::metrics: rates, latencies, and others requested or expected;
// without generators the times of programs.
struct WorthAPicture {
    std::vector<std::size_t> rates;
    std::vector<std::size_t> latencies;
    std::vector<std::size_t> others;
};
[[nodiscard]] WorthAPicture worth_a_picture(const Swept& swept);

// The axis of a plot over the steps of a sweep's axis.
[[nodiscard]] PlotAxis plot_axis(const SweptAxis& axis);

// The knee of a rising curve: the first of the values from which on all are within 1 % of the best one. None if that is
// the first value, so that the curve never rose, or the last one, so that it may rise further.
[[nodiscard]] std::optional<std::size_t> knee_of(const std::vector<std::optional<std::uint64_t>>& values);

// Each metric over the axis with the most values, with a curve for each combination of the others. HTML.
[[nodiscard]] std::string curves_chapter(const Swept& swept);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tools/report/svg.hpp"

namespace ndsim::report {

inline constexpr std::size_t kColumns = 1000;  // of a picture: more points are thinned

// The visible points in a picture of this many columns, for points in the order of x: of each column the first, the
// last, the lowest and the highest, so that no peak is lost. Fewer points stay as they are.
[[nodiscard]] std::vector<Point> thinned(std::vector<Point> points, std::size_t columns);

// For a curve that only rises: no omitted point is more than 1/`steps` of the picture away, in either direction, from
// the point before it.
[[nodiscard]] std::vector<Point> thinned_rise(std::vector<Point> points, std::size_t steps, bool logarithmic);

}  // namespace ndsim::report

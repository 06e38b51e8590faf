// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tools/report/svg.hpp"

namespace ndsim::report {

inline constexpr std::size_t kColumns = 1000;  // of a picture: what has more points is thinned

// What a picture of so many columns shows of points in the order of their x: of each column the first, the last, the
// lowest and the highest, so that no peak is lost. What is less than that stays as it is.
[[nodiscard]] std::vector<Point> thinned(std::vector<Point> points, std::size_t columns);

// Of a curve that only rises: no point that is left out is more than 1/`steps` of the picture away, in either
// direction, from the one before it.
[[nodiscard]] std::vector<Point> thinned_rise(std::vector<Point> points, std::size_t steps, bool logarithmic);

}  // namespace ndsim::report

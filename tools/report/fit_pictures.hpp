// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/report/html.hpp"

namespace ndsim::report {

// One measured figure, and how far the simulated one is from it, as parts of it: 0.01 is 1 % more.
struct FittedFigure {
    std::string name;
    double before = 0;
    double after = 0;
};

// A fitted parameter, in any unit.
struct FittedRange {
    std::string name;
    double low = 0;  // of its range
    double high = 0;
    double within_low = 0;  // where it stays if the others are fitted again
    double within_high = 0;
    double before = 0;
    double after = 0;
    bool is_determined = false;
};

// A line for each figure, from where it was before the fit to where it is after it; none is off where the line of 0 is.
[[nodiscard]] Figure fit_figure(const std::vector<FittedFigure>& figures);
// A bar for each parameter's range, each as long as the others, and in it where the parameter stays, was and is.
[[nodiscard]] Figure ranges_figure(const std::vector<FittedRange>& parameters);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/report/html.hpp"

namespace ndsim::report {

// A measured figure, and the relative error of the simulated one: 0.01 is 1 % more.
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
    double within_low = 0;  // it stays in here if the others are refitted
    double within_high = 0;
    double before = 0;
    double after = 0;
    bool is_determined = false;
    // The same in words, with their units.
    std::string range_text{};
    std::string within_text{};
    std::string before_text{};
    std::string after_text{};
};

// A line for each figure, from its error before the fit to its error afterwards; at the line of 0 there is none.
[[nodiscard]] Figure fit_figure(const std::vector<FittedFigure>& figures);
// A bar for each parameter's range, all of one length, with the range in which it stays, and its old and new values.
[[nodiscard]] Figure ranges_figure(const std::vector<FittedRange>& parameters);

}  // namespace ndsim::report

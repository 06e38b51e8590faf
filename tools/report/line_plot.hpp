// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/report/html.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

// The range of an axis.
struct Range {
    double low = 0;
    double high = 1;
};

// A little wider, so that points at the ends are drawn whole.
[[nodiscard]] Range wider(Range range, bool logarithmic);

// An axis of a plot.
struct PlotAxis {
    std::string label;
    bool logarithmic = false;
    // Names of values that are not numbers, at 0, 1, 2 ...; or of numbers at `places`.
    std::vector<std::string> names{};
    std::vector<double> places{};
    std::optional<Range> range{};  // otherwise the range of the points
};

// A curve of a plot.
struct Series {
    std::string name;
    std::vector<Point> points;  // by x
    bool is_bound = false;      // a line that is not measured, without dots
};

// A highlighted place of a plot: on a curve, with a line down to its axis.
struct Mark {
    Point at;
    std::string label;  // may be empty
};

// Curves over one axis, in the units of the labels. Steps hold their value up to the next point.
struct LinePlot {
    std::string id;
    std::string title;
    std::string caption;
    PlotAxis x;
    PlotAxis y;  // from 0
    std::vector<Series> series;
    std::vector<Mark> marks{};
    bool steps = false;
    double height = 260;
    std::string group{};  // plots of one group are zoomed together
};

[[nodiscard]] Figure figure_of(const LinePlot& plot);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/bars.hpp"

#include <algorithm>

#include "tools/sweep/plan.hpp"

namespace ndsim::sensitivity {

namespace {

// A range that contains the figure of the point itself.
Span around(const Figure& figure, Span span) {
    if (figure && span.low && span.high) {
        span = {std::min(*figure, *span.low), std::max(*figure, *span.high)};
    }
    return span;
}

}  // namespace

std::vector<BarPoint> bars_at(const std::vector<std::vector<std::string>>& overrides, const Study& study, Runs& runs) {
    std::vector<std::optional<sweep::Point>> points;
    for (const std::vector<std::string>& each : overrides) {
        points.push_back(runs.point(each));
        for (const Corners& corners : study.corners) {
            for (const std::vector<std::string>* const corner : {&corners.low, &corners.high}) {
                // The point's own value wins: an axis may be an estimate itself.
                std::vector<std::string> both = *corner;
                both.insert(both.end(), each.begin(), each.end());
                points.push_back(runs.point(both));
            }
        }
    }
    runs.run(points);
    std::vector<BarPoint> bars;
    auto point = points.begin();
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        BarPoint bar{{}, runs.figures(*point++, study.metrics), {}};
        for (std::size_t metric = 0; metric < study.metrics.size(); ++metric) {
            const Figure low = runs.figures(*point++, study.metrics)[metric];
            const Figure high = runs.figures(*point++, study.metrics)[metric];
            bar.spans.push_back(around(bar.figures[metric], {low, high}));
        }
        bars.push_back(std::move(bar));
    }
    return bars;
}

void add_sweep(Study& study, const cli::ScenarioArguments& arguments, const std::vector<std::string>& vary,
               Runs& runs) {
    const sweep::Plan plan = sweep::plan_of(arguments, vary, [](std::size_t, std::size_t) {});
    for (const Axis& axis : plan.axes) {
        study.paths.insert(study.paths.end(), axis.paths.begin(), axis.paths.end());
    }
    std::vector<std::vector<std::string>> overrides;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        overrides.push_back(overrides_of(plan.axes, point));
    }
    study.points = bars_at(overrides, study, runs);
    for (std::size_t point = 0; point < overrides.size(); ++point) {
        for (const std::string& each : overrides[point]) {
            study.points[point].values.push_back(each.substr(each.find('=') + 1));
        }
    }
}

}  // namespace ndsim::sensitivity

// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/bars.hpp"

#include "tools/sweep/plan.hpp"

namespace ndsim::sensitivity {

namespace {

// The figures of a point, and the ranges of those that it has.
BarPoint bar_at(const std::vector<std::string>& metrics, Runs runs) {
    const auto base = runs.point({});
    runs.run({base});
    BarPoint bar{{}, runs.figures(base, metrics, runs.result(*base)), std::vector<Span>(metrics.size())};
    std::vector<std::string> present;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        if (bar.figures[i]) {
            present.push_back(metrics[i]);
        }
    }
    if (present.empty()) {
        return bar;
    }
    const std::vector<Span> spans = study(present, runs, Tried::estimates).spans;
    for (std::size_t i = 0, next = 0; i < metrics.size(); ++i) {
        bar.spans[i] = bar.figures[i] ? spans[next++] : Span{};
    }
    return bar;
}

}  // namespace

void add_sweep(Study& study, const std::vector<std::string>& vary, Runs& runs) {
    const sweep::Plan plan = sweep::plan_of(runs.scenario(), vary, [](std::size_t, std::size_t) {});
    for (const Axis& axis : plan.axes) {
        study.paths.insert(study.paths.end(), axis.paths.begin(), axis.paths.end());
    }
    for (std::size_t point = 0; point < plan.points(); ++point) {
        const std::vector<std::string> overrides = overrides_of(plan.axes, point);
        study.points.push_back(bar_at(study.metrics, runs.with(overrides)));
        for (const std::string& each : overrides) {
            study.points.back().values.push_back(each.substr(each.find('=') + 1));
        }
    }
}

}  // namespace ndsim::sensitivity

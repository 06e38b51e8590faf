// SPDX-License-Identifier: Apache-2.0
#include "tools/report/unfolded.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ndsim::report {

namespace {

// The place of a parameter's value among those that came first; a new value gets the next place.
std::size_t place_of(const std::string& value, Axis& axis) {
    const auto found = std::ranges::find(axis.steps, std::vector{value});
    const auto place = static_cast<std::size_t>(found - axis.steps.begin());
    if (found == axis.steps.end()) {
        axis.steps.push_back({value});
    }
    return place;
}

}  // namespace

std::optional<Swept> unfolded(const Swept& swept) {
    if (swept.plan.axes.size() != 1) {
        return std::nullopt;
    }
    const Axis& both = swept.plan.axes.front();
    const std::vector<std::size_t> varied = varied_paths(both);
    if (varied.size() != 2) {
        return std::nullopt;
    }
    Axis curves{{both.paths[varied[0]]}, {}, {}};
    Axis over{{both.paths[varied[1]]}, {}, {}};
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const std::vector<std::string>& step : both.steps) {
        places.emplace_back(place_of(step[varied[0]], curves), place_of(step[varied[1]], over));
    }
    std::vector<std::pair<std::size_t, std::size_t>> different = places;
    std::ranges::sort(different);
    if (std::ranges::adjacent_find(different) != different.end() || curves.steps.size() == places.size()) {
        return std::nullopt;
    }
    Swept grid{swept.plan, {swept_axis(curves), swept_axis(over)}, swept.metrics, {}, {}};
    if (!grid.axes.back().is_numeric()) {
        return std::nullopt;
    }
    for (std::size_t curve = 0; curve < curves.steps.size(); ++curve) {
        for (std::size_t step = 0; step < over.steps.size(); ++step) {
            SweptPoint& point = grid.points.emplace_back();
            point.steps = {grid.axes[0].ranks[curve], grid.axes[1].ranks[step]};
            point.figures.resize(swept.metrics.size());
        }
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        SweptPoint& point = grid.points[places[i].first * over.steps.size() + places[i].second];
        point = swept.points[i];
        point.steps = {grid.axes[0].ranks[places[i].first], grid.axes[1].ranks[places[i].second]};
    }
    return grid;
}

}  // namespace ndsim::report

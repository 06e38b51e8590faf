// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/foreseen_points.hpp"

#include <algorithm>
#include <iterator>

#include "scenarios/format/axis.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

namespace {

// As much as a user will wait for: so many points, and in all so much work, which is some seconds.
constexpr std::uint64_t kMostChecked = 1000;
constexpr std::uint64_t kMostWork = 10'000'000;

// Whether two findings agree except for their figures.
bool are_alike(const Foreseen& a, const Foreseen& b) {
    return a.certainty == b.certainty && a.kind == b.kind && a.path == b.path && a.queue == b.queue;
}

}  // namespace

SweepForecast foresee_points(const ScenarioArguments& arguments, const Scenario& scenario, const Forecast& base) {
    SweepForecast sweep;
    if (scenario.sweep.empty()) {
        return sweep;
    }
    sweep.points = points_of(scenario.sweep);
    std::uint64_t work = 0;
    for (std::uint64_t point = 0; point < std::min(sweep.points, kMostChecked); ++point) {
        const std::vector<std::string> overrides = overrides_of(scenario.sweep, point);
        ScenarioArguments at_point = arguments;
        std::ranges::copy(overrides, std::back_inserter(at_point.overrides));
        const Loaded loaded = load(at_point);
        if (work > kMostWork) {
            continue;
        }
        ++sweep.checked;
        const Forecast forecast = foresee(loaded.scenario, kFewRuns);
        work += forecast.work;
        for (const Foreseen& one : forecast.foreseen) {
            const auto is_alike = [&](const Foreseen& other) { return are_alike(one, other); };
            if (std::ranges::any_of(base.foreseen, is_alike)) {
                continue;
            }
            const auto known = std::ranges::find_if(sweep.foreseen, is_alike, &ForeseenAtPoints::foreseen);
            if (known == sweep.foreseen.end()) {
                sweep.foreseen.push_back({one, overrides, 1});
            } else {
                ++known->points;
            }
        }
    }
    return sweep;
}

}  // namespace ndsim::cli

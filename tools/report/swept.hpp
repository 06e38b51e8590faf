// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/quantity.hpp"
#include "tools/report/made_by.hpp"
#include "tools/sweep/plan.hpp"
#include "tools/sweep/results.hpp"

namespace ndsim::report {

// Parameters varied together, with the values of their steps.
struct SweptAxis {
    std::string name;
    std::vector<std::string> labels;
    std::vector<double> values;       // rising numbers; empty if they are none
    std::string unit;                 // of the values
    bool rises = false;               // no parameter falls from step to step, and each is a number
    std::vector<std::size_t> places;  // of the steps in the plan, which may name numbers in any order
    std::vector<std::size_t> ranks;   // the step at each of these places

    [[nodiscard]] bool is_numeric() const { return !values.empty(); }
    [[nodiscard]] std::size_t steps() const { return labels.size(); }
    [[nodiscard]] std::string label() const { return unit.empty() ? name : name + " [" + unit + "]"; }
};

// A metric of a sweep.
struct SweptMetric {
    std::string name;
    std::optional<Quantity> quantity;
};

// A point of a sweep, and its figures.
struct SweptPoint : sweep::PointOutcome {
    std::vector<std::size_t> steps;  // one of each axis
    std::string bound_by;
    std::vector<std::optional<std::uint64_t>> figures;  // of the metrics
};

// Swept: a finished sweep, read back from its folder.
struct Swept {
    sweep::Plan plan;
    std::vector<SweptAxis> axes;
    std::vector<SweptMetric> metrics;
    SettingsByPath settings;         // without what the axes set
    std::vector<SweptPoint> points;  // the last axis changes fastest

    [[nodiscard]] const SweptPoint& at(const std::vector<std::size_t>& steps) const;
};

// cli::UsageError if the folder has no finished sweep.
[[nodiscard]] Swept read_swept(const std::string& folder);

[[nodiscard]] SweptAxis swept_axis(const Axis& axis);
// Which of an axis' paths are parameters: expected values vary along with them.
[[nodiscard]] std::vector<std::size_t> varied_paths(const Axis& axis);

}  // namespace ndsim::report

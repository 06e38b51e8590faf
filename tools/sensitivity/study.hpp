// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/sensitivity/factors.hpp"
#include "tools/sensitivity/runs.hpp"

namespace ndsim::sensitivity {

// The figures at both ends of a parameter's range.
struct Effect {
    Factor factor;
    std::vector<Figure> low;  // for each metric
    std::vector<Figure> high;
    std::string low_refusal{};  // why the scenario cannot have the end; empty: it can, or there is none
    std::string high_refusal{};
};

// All estimates that matter to a metric, at the ends of their ranges where it is least, and where it is largest; or a
// single one of them, if this moves the metric further.
struct Corners {
    std::vector<std::string> low;  // overrides
    std::vector<std::string> high;
    std::size_t estimates = 0;  // number of those that matter
    std::string low_alone{};    // the single one's name
    std::string high_alone{};
};
// The range of a figure with the estimates at those ends.
struct Span {
    Figure low;
    Figure high;
};

// The figures at a point of a sweep, and the range of each.
struct BarPoint {
    std::vector<std::string> values;  // of the axes' paths
    std::vector<Figure> figures;      // of each metric
    std::vector<Span> spans;
};

// Study: how much a scenario's figures depend on each parameter.
struct Study {
    std::vector<std::string> metrics;
    std::vector<std::string> units;
    std::vector<std::uint64_t> base;
    std::vector<Effect> effects;   // by their effect on the first metric, largest first
    std::vector<Corners> corners;  // of each metric
    std::vector<Span> spans;
    std::vector<std::string> paths;  // of a sweep's axes, if there is one
    std::vector<BarPoint> points;
    std::size_t parameters = 0;  // number of those tried
    std::size_t without_effect = 0;
};

// The larger relative change of the figure at the two ends, in parts per million.
[[nodiscard]] std::uint64_t swing(const Effect& effect, std::size_t metric, std::uint64_t base);
inline constexpr std::uint64_t kMatters = 1'000;  // parts per million; smaller changes are those of windows' ends

// The parameters that a study tries.
enum class Tried { all, estimates };

// Runs the scenario once for each end of each range. UsageError for an unknown metric; sweep::Interrupted after Ctrl-C.
[[nodiscard]] Study study(const std::vector<std::string>& metrics, Runs& runs, Tried tried = Tried::all);

// Estimates at once may move a metric less than one of them alone: if the run is not steady, or if one hides another.
// Widens the ranges to the single one's figures, which then is the corner.
void take_single_ones(Study& study);

[[nodiscard]] nlohmann::ordered_json to_json(const std::string& file, const Study& study);

}  // namespace ndsim::sensitivity

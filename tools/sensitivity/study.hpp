// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/command.hpp"
#include "tools/sensitivity/factors.hpp"
#include "tools/sensitivity/runs.hpp"

namespace ndsim::sensitivity {

struct Effect {
    Factor factor;
    std::vector<Figure> low;  // of each metric
    std::vector<Figure> high;
};

// All estimates that matter to a metric at those ends of their ranges at which it is least, and most.
struct Corners {
    std::vector<std::string> low;  // overrides
    std::vector<std::string> high;
    std::size_t estimates = 0;  // how many
};
// From where to where a figure goes if they are all there at once.
struct Span {
    Figure low;
    Figure high;
};

// The figures at a point of a sweep, and from where to where each of them goes.
struct BarPoint {
    std::vector<std::string> values;  // of the axes' paths
    std::vector<Figure> figures;      // of each metric
    std::vector<Span> spans;
};

// Study: how much the figures of a scenario depend on each parameter.
struct Study {
    std::vector<std::string> metrics;
    std::vector<std::string> units;
    std::vector<std::uint64_t> base;
    std::vector<Effect> effects;   // the largest on the first metric first
    std::vector<Corners> corners;  // of each metric
    std::vector<Span> spans;
    std::vector<std::string> paths;  // of the axes of a sweep, if there is one
    std::vector<BarPoint> points;
    std::size_t parameters = 0;  // that were tried
    std::size_t without_effect = 0;
};

// By how many parts per million the figure differs at the end at which it differs more.
[[nodiscard]] std::uint64_t swing(const Effect& effect, std::size_t metric, std::uint64_t base);
inline constexpr std::uint64_t kMatters = 1'000;  // parts per million; less is what windows differ by at their ends

// Runs the scenario once for each end of each range. UsageError for a metric that it has not; Interrupted after Ctrl-C.
[[nodiscard]] Study study(const cli::ScenarioArguments& arguments, const std::vector<std::string>& metrics, Runs& runs);

[[nodiscard]] nlohmann::ordered_json to_json(const std::string& file, const Study& study);

}  // namespace ndsim::sensitivity

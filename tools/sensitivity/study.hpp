// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/engine/run.hpp"
#include "tools/cli/command.hpp"
#include "tools/sensitivity/factors.hpp"
#include "tools/sweep/point_runner.hpp"

namespace ndsim::sensitivity {

// What a figure is at one end of a factor's range; none: the run broke off, or there is no such end.
using Figure = std::optional<std::uint64_t>;

struct Effect {
    Factor factor;
    std::vector<Figure> low;  // of each metric
    std::vector<Figure> high;
};

// From where to where a figure goes if all estimates that matter are wrong at once, each to the same side.
struct Span {
    Figure low;
    Figure high;
    std::size_t estimates = 0;  // how many
};

// Study: how much the figures of a scenario depend on each parameter.
struct Study {
    std::vector<std::string> metrics;
    std::vector<std::string> units;
    std::vector<std::uint64_t> base;
    std::vector<Effect> effects;  // the largest on the first metric first
    std::vector<Span> spans;      // of each metric
    std::size_t parameters = 0;   // that were tried
    std::size_t without_effect = 0;
};

// By how many parts per million the figure differs at the end at which it differs more.
[[nodiscard]] std::uint64_t swing(const Effect& effect, std::size_t metric, std::uint64_t base);
inline constexpr std::uint64_t kMatters = 1'000;  // parts per million; less is what windows differ by at their ends

class Interrupted {};

// Runs the scenario once for each end of each range. UsageError for a metric that it has not; Interrupted after Ctrl-C.
[[nodiscard]] Study study(const cli::ScenarioArguments& arguments, const std::vector<std::string>& metrics,
                          sweep::PointRunner& runner, const std::function<void(const Progress&)>& on_wait);

[[nodiscard]] nlohmann::ordered_json to_json(const std::string& file, const Study& study);

}  // namespace ndsim::sensitivity

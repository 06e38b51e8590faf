// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/command.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// A figure of a run, and its range over the ranges of the estimates behind it. No end: with these values the run breaks
// off.
struct ErrorBar {
    std::string metric;
    std::string unit;
    std::uint64_t value = 0;
    std::optional<std::uint64_t> low;
    std::optional<std::uint64_t> high;
    std::size_t estimates = 0;  // number of those that matter to it
};

// The error bars of a run.
struct ErrorBars {
    std::vector<ErrorBar> bars;
    std::string why;  // reason for no bars
    bool interrupted = false;
};

// Runs the scenario in child processes, with estimates at the ends of their ranges; `quiet` shows no progress.
using FindErrorBars = std::function<ErrorBars(const ScenarioArguments& scenario, bool quiet)>;

// A figure with its unit; none: its run broke off.
[[nodiscard]] std::string figure_text(const std::optional<std::uint64_t>& figure, const std::string& unit);
// When a figure is at the ends of its range: "the one estimate that matters is off as far as its range goes". If there
// are several, and one of them alone gives an end, that end has its name; otherwise the name is empty.
[[nodiscard]] std::string range_condition(std::size_t estimates, const std::string& low_alone,
                                          const std::string& high_alone);
[[nodiscard]] std::string error_bars_text(const ErrorBars& found, const Paint& paint);
// {metric: {value, unit, low, high, estimates}}, or {why}.
[[nodiscard]] nlohmann::ordered_json error_bars_json(const ErrorBars& found);

}  // namespace ndsim::cli

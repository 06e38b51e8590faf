// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/calibrate/measurements.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/sweep/point_runner.hpp"

namespace ndsim::calibrate {

// Reduces a run's result to its outcome and the metrics that are measured or may be meant: a fit makes many runs, and a
// result has a thousand metrics.
void keep_what_is_measured(const Measurements& measurements, nlohmann::ordered_json& result);

// The model's values of the measured figures, in their order; none: a run is impossible, or lacks a figure.
using Figures = std::optional<std::vector<std::uint64_t>>;

// Trials: runs the scenario as at each measurement, with varying parameters.
class Trials {
public:
    // `arguments` without preset files. ConfigError if the scenario cannot have a row's values.
    Trials(const cli::ScenarioArguments& arguments, const std::string& file, const Measurements& measurements,
           sweep::PointRunner& runner, const std::function<void(const Progress&)>& on_wait);

    // The scenario at each measurement.
    [[nodiscard]] const std::vector<cli::Loaded>& scenarios() const { return scenarios_; }
    // Runs all measurements with each of these sets of overrides. sweep::Interrupted after Ctrl-C.
    [[nodiscard]] std::vector<Figures> run(const std::vector<std::vector<std::string>>& overrides);
    // The figures of the scenario as it is. ConfigError, with the place in the file, if the run lacks a figure.
    [[nodiscard]] std::vector<std::uint64_t> run_base();
    [[nodiscard]] std::size_t runs() const { return runs_; }

private:
    [[nodiscard]] std::optional<sweep::Point> point(std::size_t run, const std::vector<std::string>& also) const;

    const cli::ScenarioArguments& arguments_;
    const std::string& file_;
    const Measurements& measurements_;
    sweep::PointRunner& runner_;
    const std::function<void(const Progress&)>& on_wait_;
    std::vector<cli::Loaded> scenarios_;
    std::size_t runs_ = 0;
};

}  // namespace ndsim::calibrate

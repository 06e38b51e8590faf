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

class Interrupted {};

// Takes out of a run's result all but how it ended, and the metrics that are measured or may be meant: a fit makes many
// runs, and a result has a thousand metrics.
void keep_what_is_measured(const Measurements& measurements, nlohmann::ordered_json& result);

// What the measured figures are in the model, in the order of the measurements; none: a run cannot be, or has not all.
using Figures = std::optional<std::vector<std::uint64_t>>;

// Trials: runs the scenario as it was at each measurement, with other values of parameters.
class Trials {
public:
    // `arguments` without files of presets. ConfigError where the scenario cannot be as a row says.
    Trials(const cli::ScenarioArguments& arguments, const std::string& file, const Measurements& measurements,
           sweep::PointRunner& runner, const std::function<void(const Progress&)>& on_wait);

    // The scenario at each measurement.
    [[nodiscard]] const std::vector<cli::Loaded>& scenarios() const { return scenarios_; }
    // With these overrides, each time all of them. Interrupted after Ctrl-C.
    [[nodiscard]] std::vector<Figures> run(const std::vector<std::vector<std::string>>& overrides);
    // Of the scenario as it is. ConfigError, with the place in the file, if a figure is none of the run's.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/calibrate/measurements.hpp"
#include "tools/calibrate/parameter.hpp"
#include "tools/calibrate/trials.hpp"
#include "tools/cli/command.hpp"

namespace ndsim::calibrate {

// The request for a calibration.
struct Question {
    cli::ScenarioArguments scenario;  // without preset files
    std::string measured;             // file of measurements
    Measurements measurements;        // its contents
    std::vector<std::string> fitted;  // only these; none: the estimates that matter
    std::vector<std::string> kept;
};

// How well the measurements determine a parameter.
enum class Determined : std::uint8_t { well, hardly, not_at_all };
[[nodiscard]] std::string_view word(Determined determined);

// A parameter and its fitted value.
struct FittedParameter {
    sensitivity::Factor factor;
    std::string after;
    std::string low;  // range in which it stays if the others are refitted
    std::string high;
    Determined determined{};
};

// The result of a calibration.
struct Calibration {
    std::vector<std::uint64_t> before;  // for each figure
    std::vector<std::uint64_t> after;
    double rms_before = 0;  // of the shares by which figures are off: 0.05 is 5 %
    double rms_after = 0;
    std::vector<FittedParameter> parameters;  // most important first
    std::vector<std::string> left;            // estimates that matter, but were not fitted
    std::size_t runs = 0;
};

// Fits the estimates that matter to the measurements. ConfigError for a row that the scenario cannot have, UsageError
// for a parameter that cannot be fitted, sweep::Interrupted after Ctrl-C.
[[nodiscard]] Calibration calibrate(const Question& question, sweep::PointRunner& runner,
                                    const std::function<void(const Progress&)>& on_wait);

// calibration.json, and calibrated.json for --preset.
[[nodiscard]] nlohmann::ordered_json to_json(const Question& question, const Calibration& calibration);
[[nodiscard]] nlohmann::ordered_json preset_json(const Question& question, const Calibration& calibration);

}  // namespace ndsim::calibrate

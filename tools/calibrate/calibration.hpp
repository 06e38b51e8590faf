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

struct Question {
    cli::ScenarioArguments scenario;  // without files of presets
    std::string measured;             // the file
    Measurements measurements;        // what it says
    std::vector<std::string> fitted;  // these alone; none: the estimates that matter
    std::vector<std::string> kept;
};

// How far the measurements say what a parameter is.
enum class Determined : std::uint8_t { well, hardly, not_at_all };
[[nodiscard]] std::string_view word(Determined determined);

struct FittedParameter {
    sensitivity::Factor factor;
    std::string after;
    std::string low;  // where it stays, if the others are fitted again
    std::string high;
    Determined determined{};
};

struct Calibration {
    std::vector<std::uint64_t> before;  // of each figure
    std::vector<std::uint64_t> after;
    double rms_before = 0;
    double rms_after = 0;
    std::vector<FittedParameter> parameters;  // the one that matters most first
    std::vector<std::string> left;            // estimates that matter, and are not among them
    std::size_t runs = 0;
};

// Fits the estimates that matter to what was measured. ConfigError for a row that the scenario cannot be, UsageError
// for a parameter that cannot be fitted, Interrupted after Ctrl-C.
[[nodiscard]] Calibration calibrate(const Question& question, sweep::PointRunner& runner,
                                    const std::function<void(const Progress&)>& on_wait);

// calibration.json, and calibrated.json, which --preset takes.
[[nodiscard]] nlohmann::ordered_json to_json(const Question& question, const Calibration& calibration);
[[nodiscard]] nlohmann::ordered_json preset_json(const Question& question, const Calibration& calibration);

}  // namespace ndsim::calibrate

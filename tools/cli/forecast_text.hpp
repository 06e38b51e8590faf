// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "scenarios/forecast/forecast.hpp"
#include "scenarios/format/hints.hpp"
#include "tools/cli/foreseen_points.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// What was hardly meant, in lines. Nothing: an empty text.
[[nodiscard]] std::string text_of(const std::vector<Hint>& hints, const std::string& file, const Paint& paint);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Hint>& hints, const std::string& file);
// What a scenario will come to, in lines: where and what, and below it what helps. Nothing: an empty text.
[[nodiscard]] std::string text_of(const Forecast& forecast, const std::string& file, const Paint& paint);
[[nodiscard]] std::string text_of(const SweepForecast& sweep, const std::string& file, const Paint& paint);
// The lists "foreseen" and "not_followed"; of a sweep, "sweep".
void add_json(nlohmann::ordered_json& result, const Forecast& forecast, const std::string& file);
void add_json(nlohmann::ordered_json& result, const SweepForecast& sweep, const std::string& file);

}  // namespace ndsim::cli

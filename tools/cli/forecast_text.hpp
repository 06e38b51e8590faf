// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "scenarios/forecast/forecast.hpp"
#include "scenarios/format/unused_queue_pairs.hpp"
#include "tools/cli/foreseen_points.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// Probable mistakes, in lines. Empty if there are none.
[[nodiscard]] std::string text_of(const std::vector<Hint>& hints, const std::string& file, const Paint& paint);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Hint>& hints, const std::string& file);
// The findings about a scenario, in lines: place and finding, then advice. Empty if there are none.
[[nodiscard]] std::string text_of(const Forecast& forecast, const std::string& file, const Paint& paint);
[[nodiscard]] std::string text_of(const SweepForecast& sweep, const std::string& file, const Paint& paint);
// Adds the lists "foreseen" and "not_followed"; for a sweep, "sweep".
void add_json(nlohmann::ordered_json& result, const Forecast& forecast, const std::string& file);
void add_json(nlohmann::ordered_json& result, const SweepForecast& sweep, const std::string& file);

}  // namespace ndsim::cli

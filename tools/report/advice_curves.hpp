// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ndsim::report {

// A dimension's name; a size counts its steps.
[[nodiscard]] std::string dimension_name(const nlohmann::ordered_json& dimension);
// The verdict of a step and its limits, each once.
[[nodiscard]] std::string found_at(const nlohmann::ordered_json& step);
// The length of the run that left a step open.
[[nodiscard]] std::string length_of_open(const nlohmann::ordered_json& step);

// For each depth the rate over it, with Little's law and the bounds that no depth changes. Targets that are no rates
// have a second figure: how much of the target is reached. HTML.
[[nodiscard]] std::string depths_over_curves(const nlohmann::ordered_json& advice);

}  // namespace ndsim::report

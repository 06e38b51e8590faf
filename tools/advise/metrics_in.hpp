// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

// The metrics of a result.json.
namespace ndsim::advise {

[[nodiscard]] const nlohmann::ordered_json* metric_in(const nlohmann::ordered_json& metrics, const std::string& name);
// 0 if the run lacks it.
[[nodiscard]] std::uint64_t value_in(const nlohmann::ordered_json& metrics, const std::string& name);
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& metric);  // with its unit

}  // namespace ndsim::advise

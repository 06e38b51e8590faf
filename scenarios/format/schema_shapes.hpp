// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/format/structure.hpp"

namespace ndsim::format {

// The parts of the JSON schema for the values of keys.
using SchemaJson = nlohmann::ordered_json;

// The path of a section's definition in the schema or, with quantity_name(), of a quantity's.
[[nodiscard]] std::string definition(std::string_view name);
[[nodiscard]] std::string quantity_name(std::string_view quantity);

[[nodiscard]] SchemaJson reference_to(std::string_view name);
[[nodiscard]] SchemaJson enum_of(std::span<const std::string_view> choices);
[[nodiscard]] SchemaJson shape_of(const Key& key);

}  // namespace ndsim::format

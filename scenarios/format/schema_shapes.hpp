// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/format/json_text.hpp"
#include "scenarios/format/structure.hpp"

namespace ndsim::format {

// The parts of the JSON schema for the values of keys. Each writes into the open object.

// The path of a section's definition in the schema or, with quantity_name(), of a quantity's.
[[nodiscard]] std::string definition(std::string_view name);
[[nodiscard]] std::string quantity_name(std::string_view quantity);

void write_reference(JsonText& json, std::string_view name);
void write_enum(JsonText& json, std::span<const std::string_view> choices);
void write_shape(JsonText& json, const Key& key);

}  // namespace ndsim::format

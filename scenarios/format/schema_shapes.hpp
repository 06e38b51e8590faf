// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/format/json_text.hpp"
#include "scenarios/format/structure.hpp"

namespace ndsim::format {

// The parts of the JSON schema that stand for what is behind a key. Each writes into the object that is open.

// Where the schema defines a section or, of quantity_name(), a quantity.
[[nodiscard]] std::string definition(std::string_view name);
[[nodiscard]] std::string quantity_name(std::string_view quantity);

void write_reference(JsonText& json, std::string_view name);
void write_enum(JsonText& json, std::span<const std::string_view> choices);
void write_shape(JsonText& json, const Key& key);

}  // namespace ndsim::format

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/json.hpp"

namespace ndsim {

// The last source that set a parameter.
enum class Origin : std::uint8_t { default_, preset, file, command_line };

[[nodiscard]] std::string_view word(Origin origin);

// One parameter of a scenario, after all overrides.
struct Setting {
    std::string path;
    std::string value;
    Origin origin{};

    // Whether the scenario's author or its user chose the value.
    [[nodiscard]] bool is_given() const { return origin == Origin::file || origin == Origin::command_line; }
};

// Every parameter of a scenario with its value and origin; `written` is the tree as read, whose first `from_presets`
// overrides come from presets.
[[nodiscard]] std::vector<Setting> settings_of(Scenario scenario, const JsonNode& written,
                                               std::size_t from_presets = 0);

// The file that is equal to the file and the overrides together.
[[nodiscard]] nlohmann::ordered_json to_json(const JsonNode& node);
// {path: {value, origin}}
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Setting>& settings);

}  // namespace ndsim

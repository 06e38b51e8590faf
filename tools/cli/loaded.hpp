// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/config/json.hpp"
#include "tools/cli/command.hpp"

namespace ndsim::cli {

// One parameter of a scenario, after all overrides.
struct Setting {
    std::string path;
    std::string value;
    std::string_view origin;  // default, preset, file or command line
};

// A scenario as it will run, and what it was made from.
struct Loaded {
    Scenario scenario;
    std::vector<std::string> overrides;
    JsonNode written;  // the file's tree with what the overrides say and what it implies
    std::vector<Setting> settings;
};

// What the command line says of recordings, whatever the file does.
struct Recordings {
    std::optional<bool> waves;
    std::optional<bool> packets;
    std::optional<bool> timeline;
};

// Reads, overrides and checks a scenario. `unless_said` are overrides of what neither the file nor the command line
// says. ConfigError with all that is wrong.
[[nodiscard]] Loaded load(const ScenarioArguments& arguments, const Recordings& recordings = {},
                          std::span<const std::string_view> unless_said = {});

// The same without files of presets: what they say is among the overrides. For whoever loads the scenario with more
// overrides.
[[nodiscard]] ScenarioArguments with_presets(const ScenarioArguments& arguments);

// The file that says the same as file and overrides together.
[[nodiscard]] nlohmann::ordered_json to_json(const JsonNode& node);
// {path: {value, origin}}
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Setting>& settings);
// "library/quickstart.json" is called "quickstart".
[[nodiscard]] std::string name_of(const Scenario& scenario);

}  // namespace ndsim::cli

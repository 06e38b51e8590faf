// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

// A scenario, and its file's tree with overrides and implied parts, which shows the origin of each value.
struct LoadedScenario {
    Scenario scenario;
    JsonNode tree;
};

// ScenarioText: the text of a scenario file, parsed once and loaded with any number of overrides.
class ScenarioText {
public:
    // `file` is its name for messages. ConfigError if it is no JSON.
    ScenarioText(std::string file, std::string_view text);

    // Overrides are path=value each, as --set takes them. The tree leaves out wrong ones.
    [[nodiscard]] JsonNode tree(std::span<const std::string> overrides) const;
    // Reads and checks it. Presets come first, then the file, then the overrides. ConfigError has all problems.
    [[nodiscard]] LoadedScenario load(std::span<const std::string> overrides) const;

private:
    std::string file_;
    Problems problems_;  // of the text alone: duplicate keys
    JsonNode root_;
};

// The same for a caller that needs only the scenario, once. The scenario keeps its source.
[[nodiscard]] Scenario load_scenario(const std::string& file, std::string_view text,
                                     std::span<const std::string> overrides = {});

}  // namespace ndsim

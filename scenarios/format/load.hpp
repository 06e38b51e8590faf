// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

// A scenario, and the tree of its file with what overrides say and what it implies: there stands who said what.
struct LoadedScenario {
    Scenario scenario;
    JsonNode tree;
};

// ScenarioText: the text of a scenario file, parsed once, which is read with as many overrides as are to be tried.
class ScenarioText {
public:
    // `file` is its name for messages. ConfigError if it is no JSON.
    ScenarioText(std::string file, std::string_view text);

    // Overrides are path=value each, as --set takes them. The tree is without those that are wrong.
    [[nodiscard]] JsonNode tree(std::span<const std::string> overrides) const;
    // Reads and checks it. Presets come first, then the file, then the overrides. ConfigError with all that is wrong.
    [[nodiscard]] LoadedScenario load(std::span<const std::string> overrides) const;

private:
    std::string file_;
    Problems problems_;  // of the text alone: keys that are there twice
    JsonNode root_;
};

// The same for whoever wants the scenario alone, once.
[[nodiscard]] Scenario load_scenario(const std::string& file, std::string_view text,
                                     std::span<const std::string> overrides = {});

}  // namespace ndsim

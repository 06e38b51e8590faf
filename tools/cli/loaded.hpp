// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/result/settings.hpp"
#include "sim/config/json.hpp"
#include "tools/cli/command.hpp"

namespace ndsim::cli {

// A scenario as it will run, and its sources.
struct Loaded {
    Scenario scenario;
    std::vector<std::string> overrides;
    JsonNode written;              // the file's tree with overrides and implied parts
    std::size_t from_presets = 0;  // so many of the first overrides

    // Every parameter with its value and origin.
    [[nodiscard]] std::vector<Setting> settings() const { return settings_of(scenario, written, from_presets); }
};

// The command line's choices about recordings, which override the file.
struct Recordings {
    std::optional<bool> waves;
    std::optional<bool> packets;
    std::optional<bool> timeline;
};

// Reads, overrides and checks a scenario. `unless_said` are overrides for values that neither the file nor the command
// line sets. ConfigError lists all problems.
[[nodiscard]] Loaded load(const ScenarioArguments& arguments, const Recordings& recordings = {},
                          std::span<const std::string_view> unless_said = {});

// The same without preset files: their values are among the overrides. For callers that load the scenario with more
// overrides.
[[nodiscard]] ScenarioArguments with_presets(const ScenarioArguments& arguments);

// Whether the scenario can be as the arguments say.
[[nodiscard]] bool is_possible(const ScenarioArguments& arguments);

// The name of "library/quickstart.json" is "quickstart".
[[nodiscard]] std::string name_of(const Scenario& scenario);

}  // namespace ndsim::cli

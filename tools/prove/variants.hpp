// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/loaded.hpp"

namespace ndsim::prove {

// Variants: runs a scenario with other values, "path=value", each in a process of its own.
class Variants {
public:
    using Sets = std::vector<std::string>;

    explicit Variants(const cli::ScenarioArguments& arguments) : arguments_(arguments) {}

    // ConfigError if the scenario cannot have them.
    [[nodiscard]] cli::Loaded load(const Sets& sets) const;
    // Their results; empty objects for those that died.
    [[nodiscard]] std::vector<nlohmann::ordered_json> run(const std::vector<Sets>& variants) const;

private:
    const cli::ScenarioArguments& arguments_;
};

// Why the figures of a result cannot be compared; empty if they can.
[[nodiscard]] std::string_view flaw_of(const nlohmann::ordered_json& result);

}  // namespace ndsim::prove

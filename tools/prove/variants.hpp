// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/loaded.hpp"
#include "tools/prove/gain.hpp"

namespace ndsim::prove {

// Variants: runs a scenario with other values, "path=value", each in a process of its own.
class Variants {
public:
    using Sets = std::vector<std::string>;

    explicit Variants(const cli::ScenarioArguments& arguments) : arguments_(arguments), scenario_(load({}).scenario) {}

    // As it is.
    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    // ConfigError if the scenario cannot have them.
    [[nodiscard]] cli::Loaded load(const Sets& sets) const;
    // The results of each variant with this many seeds, of which the scenario's own is the first; empty objects for
    // those that died.
    [[nodiscard]] std::vector<Results> run(const std::vector<Sets>& variants, std::size_t seeds) const;

private:
    const cli::ScenarioArguments& arguments_;
    const Scenario scenario_;
};

// Why the figures of results cannot be compared; empty if they can.
[[nodiscard]] std::string_view flaw_of(const Results& results);

}  // namespace ndsim::prove

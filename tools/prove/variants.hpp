// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/run/run_options.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/prove/gain.hpp"

namespace ndsim::prove {

// Variants: runs a scenario with other values, "path=value", each in a process of its own.
class Variants {
public:
    using Sets = std::vector<std::string>;

    // It says on_wait how far its runs are.
    Variants(const cli::ScenarioArguments& arguments, std::function<void(const Progress&)> on_wait)
        : arguments_(arguments), scenario_(load({}).scenario), on_wait_(std::move(on_wait)) {}

    // As it is.
    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    // ConfigError if the scenario cannot have them.
    [[nodiscard]] cli::Loaded load(const Sets& sets) const;
    // The results of each variant with this many seeds, of which the scenario's own is the first; empty objects for
    // those that died.
    [[nodiscard]] std::vector<Results> run(const std::vector<Sets>& variants, std::size_t seeds);

private:
    const cli::ScenarioArguments& arguments_;
    const Scenario scenario_;
    const std::function<void(const Progress&)> on_wait_;
    std::size_t ended_ = 0;  // runs
};

// Why the figures of results cannot be compared; empty if they can.
[[nodiscard]] std::string_view flaw_of(const Results& results);

}  // namespace ndsim::prove

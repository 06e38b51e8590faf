// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/engine/metrics.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// A parameter that a run's outcome did not depend on, and why.
struct NoEffect {
    std::string path;
    std::string why;
};

// Of a run: the parameters that were never asked for, since what they are for did not happen, and those that bound
// something that never reached the bound.
[[nodiscard]] std::vector<NoEffect> without_effect(const std::vector<Setting>& settings, const Metrics& metrics);
// Whether the rules here speak of a host's parameter at all, be it that it always matters: "pcie.tags".
[[nodiscard]] bool has_effect_rule(std::string_view parameter);
// The same as a table, under the busiest direction of a link.
[[nodiscard]] std::string effects_text(const std::vector<Setting>& settings, const Metrics& metrics,
                                       const Paint& paint);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/engine/metrics.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// Never read: what it is for did not happen. Could not matter: it bounds something that never came to the bound, so a
// larger value would have changed nothing.
enum class Effect : std::uint8_t { never_read, could_not_matter };

// A parameter that a run's outcome did not depend on, and why.
struct NoEffect {
    std::string path;
    Effect effect{};
    std::string why;
};

// The parameters of hosts and links that a run's outcome did not depend on, by effect_rules.hpp.
[[nodiscard]] std::vector<NoEffect> without_effect(const std::vector<Setting>& settings, const Metrics& metrics);
// Whether there is a rule for a parameter: "pcie.tags", "link.rate".
[[nodiscard]] bool has_effect_rule(std::string_view parameter);
// The same as tables, above how busy the wires and the PCIe links were.
[[nodiscard]] std::string effects_text(const std::vector<Setting>& settings, const Metrics& metrics,
                                       const Paint& paint);

}  // namespace ndsim::cli

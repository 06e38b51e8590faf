// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "scenarios/format/tree.hpp"
#include "scenarios/measure/metrics.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

// The message about a name that no metric has; none if a metric has it. `known` are the metrics of any run.
[[nodiscard]] std::optional<format::Absence> no_such_metric(std::string_view name, const Metrics& known);

// Problems of the metrics that a scenario names in its expectations and its target: they do not exist, or have another
// unit than their bound.
[[nodiscard]] Problems wrong_metrics(const Scenario& scenario, const Metrics& known);
[[nodiscard]] bool names_metrics(const Scenario& scenario);

}  // namespace ndsim

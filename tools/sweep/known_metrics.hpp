// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "sim/config/problems.hpp"

namespace ndsim::sweep {

// The points of a study, and the metrics that its command line requests.
struct MetricQuestion {
    std::size_t points = 1;
    std::function<Scenario(std::size_t point)> scenario;
    std::vector<std::string> asked;  // --metric
    unsigned at_once = 1;
};

// The error of a metric requested on the command line, if none of the known ones has the name.
[[nodiscard]] std::optional<std::string> wrong_request(const std::string& asked, const Metrics& known);
// Checks, before any run, whether all named metrics exist. `on_problem` gets the problems of those that a point's
// scenario names. UsageError if a requested one exists at no point.
void check_metrics(const MetricQuestion& question, const std::function<void(const ConfigError&)>& on_problem);
// The same for one point; problems are thrown.
void check_metrics(const Scenario& scenario, const std::vector<std::string>& asked);

}  // namespace ndsim::sweep

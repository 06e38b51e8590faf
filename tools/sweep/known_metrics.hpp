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

// The points of a study, and the metrics that its command line asks for.
struct MetricQuestion {
    std::size_t points = 1;
    std::function<Scenario(std::size_t point)> scenario;
    std::vector<std::string> asked;  // --metric
    unsigned at_once = 1;
};

// What is wrong with a metric that a command line asks for, if none of the known ones has the name.
[[nodiscard]] std::optional<std::string> wrong_request(const std::string& asked, const Metrics& known);
// Looks, before anything is run, whether all metrics that are named exist. `on_problem` gets what is wrong with those
// that the scenario of a point names. UsageError if one that is asked for exists at no point.
void check_metrics(const MetricQuestion& question, const std::function<void(const ConfigError&)>& on_problem);
// The same of one point; what is wrong is thrown.
void check_metrics(const Scenario& scenario, const std::vector<std::string>& asked);

}  // namespace ndsim::sweep

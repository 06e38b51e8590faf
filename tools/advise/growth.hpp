// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// Growth: the sign that something piles up in a run, so that a longer one has other figures.
struct Growth {
    // Data arrives faster than its messages are polled. This lasts until the receives that were posted ahead are used
    // up. Otherwise the latencies of an open loop grow.
    bool is_of_unpolled = false;
    std::string why;
};

// In the metrics of a result.json; none: nothing grows.
[[nodiscard]] std::optional<Growth> growth_in(const Scenario& scenario, const nlohmann::ordered_json& metrics);

}  // namespace ndsim::advise

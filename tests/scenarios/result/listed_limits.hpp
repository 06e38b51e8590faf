// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/load.hpp"
#include "scenarios/result/limits.hpp"

// The limits that follow from given measurements.
namespace ndsim::test {

// Times are parts of 1000 ps.
inline Metrics measured(const std::vector<std::pair<std::string, std::uint64_t>>& times,
                        const std::vector<std::pair<std::string, std::uint64_t>>& shares = {}) {
    Metrics metrics;
    metrics.add("run.measured", 1000, Quantity::time, "");
    for (const auto& [name, time] : times) {
        metrics.add(name, time, Quantity::time, "");
    }
    for (const auto& [name, share] : shares) {
        metrics.add(name, share, Quantity::fraction, "");
    }
    return metrics;
}

// "wire l0_A_to_B 950000 binds"
inline std::vector<std::string> listed(const std::string& scenario, const Metrics& metrics) {
    std::vector<std::string> lines;
    for (const Limit& limit : limits_of(load_scenario("f", scenario, {}), metrics)) {
        lines.push_back(std::string(kLimitKindNames.at(static_cast<std::size_t>(limit.kind))) + " " + limit.what + " " +
                        std::to_string(limit.share_ppm) + (limit.binds ? " binds" : ""));
    }
    return lines;
}

using Lines = std::vector<std::string>;

}  // namespace ndsim::test

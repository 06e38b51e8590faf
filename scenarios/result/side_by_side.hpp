// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/shared_window.hpp"

namespace ndsim {

// Generators whose rates add up, by their index in the scenario: their payload goes to one host ("to_R"), or comes from
// one and goes to several ("from_A"), or several of them share a lane ("on_l0_S_to_R") and are no other group.
struct Together {
    std::string name;
    std::vector<std::size_t> generators;
};
[[nodiscard]] std::vector<Together> generators_together(const Scenario& scenario);

// The rates of several generators while all of them are measured. Each has its part, traffic.t.shared_goodput, with its
// interval. Those together have their sum, with its interval, and its smallest and largest part: run.to_R.goodput,
// .interval, .slowest, .fastest. A single generator gets nothing. Metrics of the generators themselves must be there.
void add_side_by_side(const Scenario& scenario, const SharedWindow& shared, Metrics& metrics);

}  // namespace ndsim

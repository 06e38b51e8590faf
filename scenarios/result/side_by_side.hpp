// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/shared_window.hpp"

namespace ndsim {

// The rates of several generators while all of them are measured. Each has its part, traffic.t.shared_goodput. Those
// whose payload goes to one host have their sum, and its smallest and largest part: run.to_R.goodput, .slowest,
// .fastest; those whose payload comes from one host and goes to several have run.from_A.goodput and so on. A single
// generator gets nothing. Metrics of the generators themselves must be there.
void add_side_by_side(const Scenario& scenario, const SharedWindow& shared, Metrics& metrics);

}  // namespace ndsim

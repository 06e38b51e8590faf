// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/shared_window.hpp"

namespace ndsim {

// What several generators reach while all of them are measured. Each has its part, traffic.t.shared_goodput; those
// whose payload goes to one host have their sum, the smallest and the largest part of it: run.to_R.goodput, .slowest,
// .fastest. So have those whose payload comes from one host and goes to several: run.from_A.goodput. Nothing is added
// if there is one generator. Metrics of the generators themselves must be there.
void add_side_by_side(const Scenario& scenario, const SharedWindow& shared, Metrics& metrics);

}  // namespace ndsim

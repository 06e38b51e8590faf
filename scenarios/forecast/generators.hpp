// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/forecast/foreseen.hpp"
#include "scenarios/format/scenario.hpp"

namespace ndsim::forecast {

inline constexpr Picoseconds kForEver = Picoseconds::max();

// Findings about generators and the time limit, from their figures alone.
[[nodiscard]] std::vector<Foreseen> foresee_generators(const Scenario& scenario);
[[nodiscard]] std::vector<Foreseen> foresee_time_limit(const Scenario& scenario);
// Such a finding about the time limit as one that is not certain.
[[nodiscard]] Foreseen weakened(Foreseen one);

}  // namespace ndsim::forecast

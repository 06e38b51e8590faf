// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "scenarios/forecast/foreseen.hpp"
#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Runs the scenario's programs several times, each time in a process of its own and with another timing of the hosts'
// software, and judges its generators by their figures. The first run has the scenario's own timing, and the others are
// as many as a user does not notice: a small scenario takes some 5 ms. Call it before this process has built hardware.
inline constexpr std::size_t kRuns = 16;
inline constexpr std::size_t kFewRuns = 4;
[[nodiscard]] Forecast foresee(const Scenario& scenario, std::size_t runs = kRuns);

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"

namespace ndsim::advise {

// How many messages each generator must send for the windows of these dimensions to be measured, and how many of them
// are: traffic.t.count=..., measure.window=... A run `times` as long has so many times both.
[[nodiscard]] std::vector<std::string> counts_for(const Scenario& scenario, const std::vector<Dimension>& dimensions,
                                                  std::uint64_t times = 1);

// Whether a run of the scenario can be made longer: its messages are not those of a file.
[[nodiscard]] bool can_be_longer(const Scenario& scenario);

}  // namespace ndsim::advise

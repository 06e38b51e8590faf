// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"

namespace ndsim::advise {

// So many times the messages for some generators, by name.
using MoreMessages = std::map<std::string, std::uint64_t>;

// The messages that each generator must send to measure the windows of these dimensions, and the number measured:
// traffic.t.count=..., measure.window=... Both are multiplied by `times`.
[[nodiscard]] std::vector<std::string> counts_for(const Scenario& scenario, const std::vector<Dimension>& dimensions,
                                                  std::uint64_t times = 1, const MoreMessages& more = {});

// So many times as long a run lasts for many of the receives that are posted ahead, or of a window: what waits to be
// polled at its end is no longer a part of its rates. `generous` has the scenario's most generous depths.
[[nodiscard]] std::uint64_t lasting_times(const Scenario& generous, const std::vector<Dimension>& dimensions);

// Whether a run of the scenario can be made longer: its messages do not come from a file.
[[nodiscard]] bool can_be_longer(const Scenario& scenario);

}  // namespace ndsim::advise

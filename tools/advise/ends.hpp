// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// The host at a generator's end, which the scenario has.
[[nodiscard]] const Host& host_at(const Scenario& scenario, const Endpoint& end);

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// The name of the host at a generator's end, "A" of "A.q0", and the host itself, which the scenario has.
[[nodiscard]] std::string host_of(const std::string& end);
[[nodiscard]] const Host& host_at(const Scenario& scenario, const std::string& end);

}  // namespace ndsim::advise

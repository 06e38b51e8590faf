// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// By host, what it is called together with those that are alike: "S1 .. S8" of hosts that only send, the same way, or
// "A" of one alone. What one of them needs, all do.
[[nodiscard]] std::map<std::string, std::string> names_together(const Scenario& scenario);

}  // namespace ndsim::advise

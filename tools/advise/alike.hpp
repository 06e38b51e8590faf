// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// The common name of each host and those like it: "S1 .. S8" of hosts that only send, the same way, or "A" of a single
// one. Depths needed by one of them are needed by all.
[[nodiscard]] std::map<std::string, std::string> names_together(const Scenario& scenario);

}  // namespace ndsim::advise

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim::advise {

// Hosts that are alike, but for the names: same parameters, and generators with the same parameters to or from the same
// peers. What one of them needs, all do. By host, what they are called together: "S1 .. S8", or "A" of one alone.
[[nodiscard]] std::map<std::string, std::string> alike_hosts(const Scenario& scenario);

}  // namespace ndsim::advise

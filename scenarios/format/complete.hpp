// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"

namespace ndsim::format {

// Writes out what a valid scenario leaves to be understood: the only link of a fault's sender, the shares of generators
// in a shared receive queue, and the requests of a counted post where an expectation names all of them.
void complete(Scenario& scenario);

}  // namespace ndsim::format

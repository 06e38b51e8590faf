// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/scenario.hpp"

namespace ndsim::forecast {

// Makes some hosts of a trial slow: their programs are held up, their cores are taken away, their polls are late. An
// outcome that is the same in all trials does not depend on such times.
void slow_hosts_down(Scenario& scenario, unsigned number);

}  // namespace ndsim::forecast

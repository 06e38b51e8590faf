// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/unit.hpp"

#include "sim/kernel/pool.hpp"
#include "sim/kernel/state_times.hpp"

namespace ndsim {

void Unit::restart_statistics(Picoseconds at) {
    for (Pool* const pool : pools_) {
        pool->restart(at);
    }
    for (StateTimes* const times : state_times_) {
        times->restart(at);
    }
}

}  // namespace ndsim

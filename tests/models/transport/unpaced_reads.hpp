// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/transport/transport_params.hpp"

namespace ndsim::test {

// Reads start as soon as they are scheduled.
inline TransportParams unpaced_reads(Picoseconds schedule = {}) {
    TransportParams params;
    params.read_response_sched = schedule;
    params.read_interval = {};
    params.read_gap = {};
    return params;
}

}  // namespace ndsim::test

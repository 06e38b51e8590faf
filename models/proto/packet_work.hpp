// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/packet.hpp"
#include "sim/base/work.hpp"

namespace ndsim {

// The work of a unit that makes or executes this packet for `qp`.
[[nodiscard]] inline Work work_of(const Packet& packet, QpNum qp) {
    return {info(packet.opcode).name, packet.request, qp, {}, packet.psn.value(), packet.payload_bytes};
}

}  // namespace ndsim

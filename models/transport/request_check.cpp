// SPDX-License-Identifier: Apache-2.0
#include "models/transport/request_check.hpp"

namespace ndsim {

PsnOrder order_of(Psn psn, Psn expected) {
    const std::int32_t ahead = psn.ahead_of(expected);
    return ahead == 0 ? PsnOrder::next : ahead < 0 ? PsnOrder::duplicate : PsnOrder::gap;
}

bool is_well_formed(const Packet& packet, ResponderState state, std::uint32_t mtu) {
    const OpcodeInfo& what = info(packet.opcode);
    const bool in_message = state == ResponderState::in_send || state == ResponderState::in_write;
    const Operation under_way = state == ResponderState::in_write ? Operation::write : Operation::send;
    if (what.first == in_message || (in_message && what.operation != under_way)) {
        return false;
    }
    if (!what.last) {
        return packet.payload_bytes == mtu;
    }
    return packet.payload_bytes <= mtu && (what.first || packet.payload_bytes > 0);
}

}  // namespace ndsim

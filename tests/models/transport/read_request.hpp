// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/packet.hpp"

namespace ndsim::test {

constexpr Address kTarget{0x1000};

// The Read of PSN `psn` for `length` bytes, `offset` behind the target.
inline Packet read_request(std::uint32_t psn, std::uint32_t length, std::uint32_t offset = 0) {
    Packet packet;
    packet.opcode = Opcode::read_request;
    packet.psn = Psn{psn};
    packet.key = MrKey{1};
    packet.remote = kTarget + offset;
    packet.dma_length = length;
    return packet;
}

}  // namespace ndsim::test

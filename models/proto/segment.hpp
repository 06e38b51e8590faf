// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/proto/packet.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// Packets that a message of `length` bytes takes: first and middle ones are full, an empty message is one packet.
[[nodiscard]] constexpr std::uint32_t packet_count(std::uint32_t length, std::uint32_t mtu) {
    return length == 0 ? 1 : static_cast<std::uint32_t>(ceil_div(length, mtu));
}

// Bytes of the packet that begins at `offset` of the message.
[[nodiscard]] constexpr std::uint32_t packet_bytes(std::uint32_t length, std::uint32_t offset, std::uint32_t mtu) {
    return std::min(length - offset, mtu);
}

// PSNs of a request packet: a Read has one for each packet of its response.
[[nodiscard]] inline std::uint32_t psns_of(const Packet& packet, std::uint32_t mtu) {
    return packet.opcode == Opcode::read_request ? packet_count(packet.dma_length, mtu) : 1;
}

}  // namespace ndsim

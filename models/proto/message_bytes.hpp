// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/proto/opcode.hpp"
#include "models/proto/packet.hpp"
#include "models/proto/segment.hpp"

namespace ndsim {

// All bytes of a message on a lane, with headers and gaps.
[[nodiscard]] inline std::uint64_t message_wire_bytes(Operation operation, std::uint32_t size, std::uint32_t mtu,
                                                      Framing framing) {
    const std::uint32_t packets = packet_count(size, mtu);
    std::uint64_t bytes = 0;
    for (std::uint32_t packet = 0; packet < packets; ++packet) {
        const Opcode opcode = packet_opcode(operation, packet == 0, packet + 1 == packets);
        bytes += wire_bytes(packet_bytes(size, packet * mtu, mtu), info(opcode).extra_bytes, framing).count;
    }
    return bytes;
}

}  // namespace ndsim

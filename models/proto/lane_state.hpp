// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/proto/opcode.hpp"
#include "models/proto/packet.hpp"

namespace ndsim {

// The acknowledgements that refuse, as lane_states() has them behind the opcodes: RNR NAK, then the NAK codes 0 to 3
// (InfiniBand Architecture Specification, AETH syndrome).
inline constexpr std::array<std::string_view, 5> kNakNames{"RNR_NAK", "NAK_PSN_SEQ", "NAK_INV_REQ", "NAK_REM_ACCESS",
                                                           "NAK_REM_OP"};

// State of a lane with this packet on it: its opcode, or the kind of NAK.
[[nodiscard]] inline std::uint8_t lane_state(const Packet& packet) {
    constexpr std::uint8_t kFirstNak = 1 + kOpcodes.size();
    constexpr unsigned kKind = 0xE0;
    constexpr unsigned kCode = 0x1F;
    const unsigned syndrome = packet.aeth.syndrome;
    if (packet.opcode != Opcode::acknowledge || (syndrome & kKind) == 0) {
        return lane_state(packet.opcode);
    }
    if ((syndrome & kKind) == Aeth::kRnrNak) {
        return kFirstNak;
    }
    return static_cast<std::uint8_t>(kFirstNak + 1 + (syndrome & kCode));
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ndsim {

// BTH opcodes of the reliable-connected service, and the one datagram opcode that carries connection management.
enum class Opcode : std::uint8_t {
    send_first = 0x00,
    send_middle = 0x01,
    send_last = 0x02,
    send_only = 0x04,
    acknowledge = 0x11,
    send_last_with_invalidate = 0x16,
    send_only_with_invalidate = 0x17,
    ud_send_only = 0x64,
};

// What a packet of an opcode is and carries.
struct OpcodeInfo {
    Opcode opcode{};
    std::string_view name;         // as traces show it
    std::uint8_t extra_bytes = 0;  // extension headers behind the BTH
    bool request = false;          // goes to the responder and uses a PSN
    bool first = false;            // begins a message
    bool last = false;             // ends a message
};

// States of a lane for a probe: 0 is idle, the others are the opcodes in the order of the table.
[[nodiscard]] std::span<const std::string_view> lane_states();
[[nodiscard]] std::uint8_t lane_state(Opcode opcode);

// The row of an opcode; std::logic_error if the table has none.
[[nodiscard]] const OpcodeInfo& info(Opcode opcode);

// The opcode of a Send's packet by its place in the message.
[[nodiscard]] constexpr Opcode send_opcode(bool first, bool last) {
    if (first) {
        return last ? Opcode::send_only : Opcode::send_first;
    }
    return last ? Opcode::send_last : Opcode::send_middle;
}

}  // namespace ndsim

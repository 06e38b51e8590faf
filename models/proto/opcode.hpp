// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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
    write_first = 0x06,
    write_middle = 0x07,
    write_last = 0x08,
    write_only = 0x0A,
    read_request = 0x0C,
    read_response_first = 0x0D,
    read_response_middle = 0x0E,
    read_response_last = 0x0F,
    read_response_only = 0x10,
    acknowledge = 0x11,
    send_last_with_invalidate = 0x16,
    send_only_with_invalidate = 0x17,
    ud_send_only = 0x64,
};

// The operation that a packet belongs to.
enum class Operation : std::uint8_t { send, write, read, read_response, acknowledgement, datagram };

// Extension headers behind the BTH. A packet has its headers in this order.
enum ExtensionHeader : std::uint8_t {
    kNoExtension = 0,
    kDeth = 1,  // datagram, 8 bytes
    kReth = 2,  // RDMA, 16 bytes
    kAeth = 4,  // ACK, 4 bytes
    kIeth = 8,  // invalidate, 4 bytes
};

// The role and contents of a packet by its opcode.
struct OpcodeInfo {
    Opcode opcode{};
    std::string_view name;  // as traces show it
    Operation operation{};
    std::uint8_t extra_bytes = 0;  // extension headers behind the BTH
    bool request = false;          // goes to the responder and uses a PSN
    bool first = false;            // begins a message
    bool last = false;             // ends a message
    std::uint8_t extensions = kNoExtension;

    [[nodiscard]] constexpr bool has(ExtensionHeader header) const { return (extensions & header) != 0; }
};

// Sizes: AETH 4, IETH 4, DETH 8, RETH 16 bytes (InfiniBand Architecture Specification, transport headers).
inline constexpr std::array<OpcodeInfo, 17> kOpcodes{{
    {Opcode::send_first, "SEND_FIRST", Operation::send, 0, true, true, false, kNoExtension},
    {Opcode::send_middle, "SEND_MIDDLE", Operation::send, 0, true, false, false, kNoExtension},
    {Opcode::send_last, "SEND_LAST", Operation::send, 0, true, false, true, kNoExtension},
    {Opcode::send_only, "SEND_ONLY", Operation::send, 0, true, true, true, kNoExtension},
    {Opcode::acknowledge, "ACK", Operation::acknowledgement, 4, false, true, true, kAeth},
    {Opcode::send_last_with_invalidate, "SEND_LAST_INV", Operation::send, 4, true, false, true, kIeth},
    {Opcode::send_only_with_invalidate, "SEND_ONLY_INV", Operation::send, 4, true, true, true, kIeth},
    {Opcode::ud_send_only, "UD_SEND_ONLY", Operation::datagram, 8, true, true, true, kDeth},
    {Opcode::write_first, "WRITE_FIRST", Operation::write, 16, true, true, false, kReth},
    {Opcode::write_middle, "WRITE_MIDDLE", Operation::write, 0, true, false, false, kNoExtension},
    {Opcode::write_last, "WRITE_LAST", Operation::write, 0, true, false, true, kNoExtension},
    {Opcode::write_only, "WRITE_ONLY", Operation::write, 16, true, true, true, kReth},
    {Opcode::read_request, "READ_REQUEST", Operation::read, 16, true, true, true, kReth},
    {Opcode::read_response_first, "READ_RESP_FIRST", Operation::read_response, 4, false, true, false, kAeth},
    {Opcode::read_response_middle, "READ_RESP_MIDDLE", Operation::read_response, 0, false, false, false, kNoExtension},
    {Opcode::read_response_last, "READ_RESP_LAST", Operation::read_response, 4, false, false, true, kAeth},
    {Opcode::read_response_only, "READ_RESP_ONLY", Operation::read_response, 4, false, true, true, kAeth},
}};

// Row of each opcode, 0 for none.
inline constexpr auto kOpcodeRows = [] {
    std::array<std::uint8_t, 256> rows{};
    for (std::size_t i = 0; i < kOpcodes.size(); ++i) {
        rows[static_cast<std::uint8_t>(kOpcodes[i].opcode)] = static_cast<std::uint8_t>(i + 1);
    }
    return rows;
}();

// States of a lane for a probe: 0 is idle, then the opcodes in the order of the table, then the kinds of NAK.
[[nodiscard]] std::span<const std::string_view> lane_states();
[[nodiscard]] inline std::uint8_t lane_state(Opcode opcode) {
    return kOpcodeRows[static_cast<std::uint8_t>(opcode)];
}

[[noreturn]] void refuse_opcode(Opcode opcode);
// The row of an opcode; std::logic_error if there is none.
[[nodiscard]] inline const OpcodeInfo& info(Opcode opcode) {
    const std::uint8_t row = lane_state(opcode);
    if (row == 0) [[unlikely]] {
        refuse_opcode(opcode);
    }
    return kOpcodes[row - 1U];
}

// The opcode of a packet by its place in the message: of a Send, a Write, a Read's request or its responses.
[[nodiscard]] Opcode packet_opcode(Operation operation, bool first, bool last);
// The last packet of a Send that invalidates a key of the peer.
[[nodiscard]] constexpr Opcode invalidating(Opcode opcode) {
    return opcode == Opcode::send_only ? Opcode::send_only_with_invalidate : Opcode::send_last_with_invalidate;
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/proto/opcode.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace ndsim {

namespace {

// Sizes: AETH 4, IETH 4, DETH 8, RETH 16 bytes (InfiniBand Architecture Specification, transport headers).
constexpr std::array<OpcodeInfo, 17> kOpcodes{{
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

// The bytes of each row are those of its headers.
static_assert(std::all_of(kOpcodes.begin(), kOpcodes.end(), [](const OpcodeInfo& row) {
    return row.extra_bytes ==
           (row.has(kDeth) ? 8 : 0) + (row.has(kReth) ? 16 : 0) + (row.has(kAeth) ? 4 : 0) + (row.has(kIeth) ? 4 : 0);
}));

constexpr auto kLaneStates = [] {
    std::array<std::string_view, kOpcodes.size() + 1> names{"idle"};
    for (std::size_t i = 0; i < kOpcodes.size(); ++i) {
        names[i + 1] = kOpcodes[i].name;
    }
    return names;
}();

// Row of each opcode, 0 for none.
constexpr auto kRows = [] {
    std::array<std::uint8_t, 256> rows{};
    for (std::size_t i = 0; i < kOpcodes.size(); ++i) {
        rows[static_cast<std::uint8_t>(kOpcodes[i].opcode)] = static_cast<std::uint8_t>(i + 1);
    }
    return rows;
}();

// By operation, first and last; if two rows fit, the one without invalidate comes first in the table.
constexpr auto kByPlace = [] {
    std::array<std::array<std::array<Opcode, 2>, 2>, 6> opcodes{};
    for (std::size_t i = kOpcodes.size(); i > 0; --i) {
        const OpcodeInfo& row = kOpcodes[i - 1];
        opcodes[static_cast<std::size_t>(row.operation)][row.first ? 1 : 0][row.last ? 1 : 0] = row.opcode;
    }
    return opcodes;
}();

}  // namespace

std::span<const std::string_view> lane_states() {
    return kLaneStates;
}
std::uint8_t lane_state(Opcode opcode) {
    return kRows[static_cast<std::uint8_t>(opcode)];
}

const OpcodeInfo& info(Opcode opcode) {
    const std::uint8_t row = lane_state(opcode);
    if (row == 0) {
        throw std::logic_error("no such opcode: " + std::to_string(static_cast<int>(opcode)));
    }
    return kOpcodes[row - 1U];
}

Opcode packet_opcode(Operation operation, bool first, bool last) {
    return kByPlace[static_cast<std::size_t>(operation)][first ? 1 : 0][last ? 1 : 0];
}

}  // namespace ndsim

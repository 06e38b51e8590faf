// SPDX-License-Identifier: Apache-2.0
#include "models/proto/opcode.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/proto/lane_state.hpp"

namespace ndsim {

namespace {

// The bytes of each row are those of its headers.
static_assert(std::all_of(kOpcodes.begin(), kOpcodes.end(), [](const OpcodeInfo& row) {
    return row.extra_bytes ==
           (row.has(kDeth) ? 8 : 0) + (row.has(kReth) ? 16 : 0) + (row.has(kAeth) ? 4 : 0) + (row.has(kIeth) ? 4 : 0);
}));

constexpr auto kLaneStates = [] {
    std::array<std::string_view, 1 + kOpcodes.size() + kNakNames.size()> names{"idle"};
    std::size_t last = 0;
    for (const OpcodeInfo& row : kOpcodes) {
        names[++last] = row.name;
    }
    for (const std::string_view nak : kNakNames) {
        names[++last] = nak;
    }
    return names;
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

void refuse_opcode(Opcode opcode) {
    throw std::logic_error("no such opcode: " + std::to_string(static_cast<int>(opcode)));
}

Opcode packet_opcode(Operation operation, bool first, bool last) {
    return kByPlace[static_cast<std::size_t>(operation)][first ? 1 : 0][last ? 1 : 0];
}

}  // namespace ndsim

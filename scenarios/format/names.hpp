// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "models/proto/opcode.hpp"
#include "ndapi/windows/abi/status_names.hpp"
#include "scenarios/format/program.hpp"

namespace ndsim::format {

// The flags of requests as a program writes them, and their bits.
inline constexpr std::array<std::string_view, 6> kPostFlagNames{"inline", "silent_success", "solicit",
                                                                "defer",  "read_fence",     "local_invalidate"};
inline constexpr std::array<PostFlag, kPostFlagNames.size()> kPostFlags{
    kPostInline, kPostSilentSuccess, kPostSolicit, kPostDefer, kPostReadFence, kPostLocalInvalidate};
// The rights given by a bind or a fast_register.
inline constexpr std::array<std::string_view, 3> kAllowNames{"local_write", "remote_read", "remote_write"};
inline constexpr std::array<PostFlag, kAllowNames.size()> kAllowFlags{kPostAllowLocalWrite, kPostAllowRemoteRead,
                                                                      kPostAllowRemoteWrite};

// Packets by their names in traces, and their opcodes.
inline constexpr std::array<std::string_view, 16> kPacketNames{
    "SEND_FIRST",       "SEND_MIDDLE",    "SEND_LAST",      "SEND_ONLY",  "SEND_LAST_INV", "SEND_ONLY_INV",
    "WRITE_FIRST",      "WRITE_MIDDLE",   "WRITE_LAST",     "WRITE_ONLY", "READ_REQUEST",  "READ_RESP_FIRST",
    "READ_RESP_MIDDLE", "READ_RESP_LAST", "READ_RESP_ONLY", "ACK"};
inline constexpr std::array<Opcode, kPacketNames.size()> kPacketOpcodes{Opcode::send_first,
                                                                        Opcode::send_middle,
                                                                        Opcode::send_last,
                                                                        Opcode::send_only,
                                                                        Opcode::send_last_with_invalidate,
                                                                        Opcode::send_only_with_invalidate,
                                                                        Opcode::write_first,
                                                                        Opcode::write_middle,
                                                                        Opcode::write_last,
                                                                        Opcode::write_only,
                                                                        Opcode::read_request,
                                                                        Opcode::read_response_first,
                                                                        Opcode::read_response_middle,
                                                                        Opcode::read_response_last,
                                                                        Opcode::read_response_only,
                                                                        Opcode::acknowledge};

// The status of a completion in an expectation: an index of kStatusNames.
inline constexpr auto kStatusChoices = [] {
    std::array<std::string_view, kStatusNames.size()> choices;
    std::transform(kStatusNames.begin(), kStatusNames.end(), choices.begin(),
                   [](const StatusName& row) { return row.name; });
    return choices;
}();

}  // namespace ndsim::format

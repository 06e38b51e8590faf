// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ndsim {

// Messages between two switches. The protocol of Windows' own switch is not published; this one is ours, and follows
// what is known of it (wsd.md 5.9).
enum class WsdKind : std::uint32_t {
    session,   // the first one each way: how many receives are posted
    data,      // bytes of the stream
    urgent,    // an urgent byte beside the stream
    credit,    // nothing but credits
    announce,  // a block too large for messages; with a descriptor it can be read
    target,    // memory for a part of an announced block
    done,      // the block has been read, or the part written
    refused,   // the block cannot be taken
    end        // of the stream
};
inline constexpr std::array<std::string_view, 9> kWsdKindNames{"session", "data", "urgent",  "credit", "announce",
                                                               "target",  "done", "refused", "end"};

// The header of each message; up to kPayload bytes follow.
struct WsdMessage {
    static constexpr std::size_t kPayload = 4096;
    static constexpr std::size_t kMostDescriptor = 32;

    std::array<char, 4> mark{'W', 'S', 'D', '1'};  // for readers of packet traces
    WsdKind kind{};
    std::uint32_t credits = 0;  // receives that were posted again since the last message
    std::uint32_t payload = 0;
    std::uint32_t can_read = 0;  // session: this side has WSPRdmaRead
    std::uint32_t descriptor_length = 0;
    std::uint64_t length = 0;  // of a block, or a part of it
    std::array<std::byte, kMostDescriptor> descriptor{};
};
static_assert(sizeof(WsdMessage) == 64);
// Room for the longest one.
inline constexpr std::size_t kWsdBuffer = sizeof(WsdMessage) + WsdMessage::kPayload;

// A message and its payload, as received.
struct WsdReceived {
    WsdMessage header;
    std::vector<std::byte> payload;
};

}  // namespace ndsim

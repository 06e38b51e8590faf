// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ndsim {

// The bytes around the payload, extension headers and pad of each packet.
enum class Framing : std::uint8_t { ethernet, infiniband };
inline constexpr std::array<std::string_view, 2> kFramingNames{"ethernet", "infiniband"};

// Counts of bytes on the lane.
struct FramingBytes {
    std::uint64_t overhead;  // of every packet, BTH and ICRC included
    std::uint64_t minimum;   // of a packet
    std::uint64_t pause;     // of the frame that tells a neighbour to stop, or to go on
};

// Ethernet carries RoCEv2: preamble and SFD 8, Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4, gap 12
// [wire.md 1.1]; a frame has at least 64 bytes, with preamble and gap 84. InfiniBand has LRH 8, BTH 12, ICRC 4, VCRC 2,
// no gap and no least size; its flow-control packet has 6 bytes [IBA 7.9.4].
[[nodiscard]] constexpr FramingBytes bytes_of(Framing framing) {
    constexpr std::array<FramingBytes, 2> kBytes{{{82, 84, 84}, {26, 0, 6}}};
    return kBytes[static_cast<std::size_t>(framing)];
}

}  // namespace ndsim

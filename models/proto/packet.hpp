// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/proto/framing.hpp"
#include "models/proto/opcode.hpp"
#include "models/proto/psn.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/payload_pool.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// ACK extended header: the content of an acknowledgement [wire.md 1.6].
struct Aeth {
    static constexpr std::uint8_t kAck = 0x1F;  // acknowledged, no credit information
    static constexpr std::uint8_t kRnrNak = 0x20;
    static constexpr std::uint8_t kNakSequence = 0x60;
    static constexpr std::uint8_t kNakInvalidRequest = 0x61;
    static constexpr std::uint8_t kNakRemoteAccess = 0x62;
    static constexpr std::uint8_t kNakRemoteOperational = 0x63;

    std::uint8_t syndrome = kAck;
    std::uint32_t msn = 0;
};

// Packet: the header fields of a RoCEv2 packet and a reference to its payload, by value. The fields from `request` on
// are not on the wire, except for the ports: they serve traces and timing.
struct Packet {
    Opcode opcode{};
    bool solicited = false;    // BTH SE
    bool ack_request = false;  // BTH AckReq
    bool damaged = false;      // its ICRC is wrong
    Psn psn;
    QpNum destination{};
    QpNum source{};  // the sender's QP (on the wire: the UDP source port's entropy, and DETH)
    Aeth aeth;
    MrKey key{};                   // RETH: the peer's memory; IETH: the key to invalidate
    Address remote{};              // RETH: start of the message in the peer's memory
    std::uint32_t dma_length = 0;  // RETH: bytes of the whole message
    std::uint32_t payload_bytes = 0;
    PayloadRef payload = PayloadRef::none;
    RequestId request;
    Framing framing{};          // of the network it travels in
    HostId from{};              // Ethernet and IP: the sender's port
    HostId to{};                // and the receiver's
    bool is_copy = false;       // a bad link has made it from the packet with the same number
    std::uint32_t number = 0;   // running number of the sending port, from 1
    std::uint32_t reached = 0;  // payload of the message up to the packet's end
    std::uint32_t behind = 0;   // payload of the message behind it
    Picoseconds grain_rest{};   // time until the rest of its grain (NIC's forward_grain) reaches the receiver
};

// Bytes of a packet on the lane, everything included; the payload is padded to a multiple of 4.
[[nodiscard]] constexpr Bytes wire_bytes(std::uint32_t payload_bytes, std::uint32_t extra_header_bytes,
                                         Framing framing) {
    const FramingBytes around = bytes_of(framing);
    const std::uint64_t padded = (std::uint64_t{payload_bytes} + 3U) & ~std::uint64_t{3U};
    return {std::max(around.minimum, around.overhead + extra_header_bytes + padded)};
}
[[nodiscard]] inline Bytes wire_bytes(const Packet& packet) {
    return wire_bytes(packet.payload_bytes, info(packet.opcode).extra_bytes, packet.framing);
}

// The control path's datagrams need no room in buffers: none of them is ever lost.
[[nodiscard]] inline bool needs_room(const Packet& packet) {
    return packet.opcode != Opcode::ud_send_only;
}

}  // namespace ndsim

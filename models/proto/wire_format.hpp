// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/proto/packet.hpp"

namespace ndsim {

inline constexpr std::uint16_t kRocePort = 4791;

// A port's addresses. The MAC address is locally administered: 02:00:00, the host's number, the port's.
struct PortAddress {
    std::array<std::byte, 6> mac{};
    std::uint32_t ip = 0;  // as a number: 10.0.0.1 is 0x0A000001
};
[[nodiscard]] PortAddress port_address(HostId host, std::uint8_t port, std::uint32_t ip);

// The bytes of a RoCEv2 packet as an Ethernet frame without its FCS: Ethernet, IPv4, UDP, BTH, extension headers,
// payload, pad and ICRC [wire.md 1.1-1.5], padded to 60 bytes if shorter. The ICRC of a damaged packet is
// wrong. `payload` holds its payload_bytes.
[[nodiscard]] std::vector<std::byte> wire_frame(const Packet& packet, const PortAddress& from, const PortAddress& to,
                                                std::span<const std::byte> payload);

}  // namespace ndsim

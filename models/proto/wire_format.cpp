// SPDX-License-Identifier: Apache-2.0
#include "models/proto/wire_format.hpp"

#include <algorithm>

#include "models/proto/big_endian.hpp"
#include "models/proto/icrc.hpp"
#include "sim/base/little_endian.hpp"

namespace ndsim {

namespace {

using Frame = std::vector<std::byte>;

constexpr std::size_t kEthernet = 14;
constexpr std::size_t kIpv4 = 20;
constexpr std::size_t kUdp = 8;
constexpr std::size_t kBth = 12;
constexpr std::size_t kIcrc = 4;
constexpr std::size_t kSmallestFrame = 60;  // 64 with the FCS

constexpr std::uint16_t kEtherTypeIpv4 = 0x0800;
constexpr std::uint8_t kEcnCapable = 0x02;  // ECT(0): RoCEv2 ports mark packets so that switches may signal congestion
constexpr std::uint16_t kDoNotFragment = 0x4000;
constexpr std::uint8_t kTimeToLive = 64;
constexpr std::uint8_t kProtocolUdp = 17;
constexpr std::uint16_t kFirstSourcePort = 0xC000;  // 49152; 14 bits of the queue pair distinguish flows
constexpr std::uint8_t kMigrated = 0x40;
constexpr std::uint16_t kDefaultPartition = 0xFFFF;
constexpr std::uint32_t kAckRequest = 0x8000'0000;
constexpr std::uint32_t kManagementQKey = 0x8001'0000;  // of queue pair 1

template <std::unsigned_integral T>
void put(Frame& frame, T value) {
    frame.resize(frame.size() + sizeof value);
    store_be(frame.data() + frame.size() - sizeof value, value);
}

// The checksum of a header whose checksum field is still 0.
std::uint16_t internet_checksum(std::span<const std::byte> header) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < header.size(); i += 2) {
        sum += load_be<std::uint16_t>(header.data() + i);
    }
    sum = (sum & 0xFFFFU) + (sum >> 16U);
    sum = (sum & 0xFFFFU) + (sum >> 16U);
    return static_cast<std::uint16_t>(~sum);
}

void put_ethernet(Frame& frame, const PortAddress& from, const PortAddress& to) {
    frame.insert(frame.end(), to.mac.begin(), to.mac.end());
    frame.insert(frame.end(), from.mac.begin(), from.mac.end());
    put(frame, kEtherTypeIpv4);
}

void put_ipv4(Frame& frame, std::size_t behind, std::uint32_t from, std::uint32_t to) {
    const std::size_t begin = frame.size();
    put(frame, std::uint8_t{0x45});  // version 4, five words
    put(frame, kEcnCapable);
    put(frame, static_cast<std::uint16_t>(kIpv4 + behind));
    put(frame, std::uint16_t{0});  // a packet that is never fragmented needs no identification
    put(frame, kDoNotFragment);
    put(frame, kTimeToLive);
    put(frame, kProtocolUdp);
    put(frame, std::uint16_t{0});
    put(frame, from);
    put(frame, to);
    store_be(frame.data() + begin + 10, internet_checksum(std::span{frame}.subspan(begin)));
}

void put_udp(Frame& frame, std::size_t behind, QpNum source) {
    put(frame, static_cast<std::uint16_t>(kFirstSourcePort | (raw(source) & 0x3FFFU)));
    put(frame, kRocePort);
    put(frame, static_cast<std::uint16_t>(kUdp + behind));
    put(frame, std::uint16_t{0});  // no checksum: the ICRC protects more
}

void put_bth(Frame& frame, const Packet& packet, std::size_t pad) {
    put(frame, static_cast<std::uint8_t>(packet.opcode));
    put(frame, static_cast<std::uint8_t>((packet.solicited ? 0x80U : 0U) | kMigrated | (pad << 4U)));
    put(frame, kDefaultPartition);
    put(frame, raw(packet.destination));
    put(frame, packet.psn.value() | (packet.ack_request ? kAckRequest : 0));
}

void put_extensions(Frame& frame, const Packet& packet) {
    const OpcodeInfo& row = info(packet.opcode);
    if (row.has(kDeth)) {
        put(frame, kManagementQKey);
        put(frame, raw(packet.source));
    }
    if (row.has(kReth)) {
        put(frame, raw(packet.remote));
        put(frame, raw(packet.key));
        put(frame, packet.dma_length);
    }
    if (row.has(kAeth)) {
        put(frame, (std::uint32_t{packet.aeth.syndrome} << 24U) | packet.aeth.msn);
    }
    if (row.has(kIeth)) {
        put(frame, raw(packet.key));
    }
}

}  // namespace

PortAddress port_address(HostId host, std::uint8_t port, std::uint32_t ip) {
    PortAddress address{{}, ip};
    address.mac[0] = std::byte{0x02};
    store_be(address.mac.data() + 3, raw(host));
    address.mac[5] = std::byte{port};
    return address;
}

std::vector<std::byte> wire_frame(const Packet& packet, const PortAddress& from, const PortAddress& to,
                                  std::span<const std::byte> payload) {
    const std::size_t pad = (std::size_t{0} - payload.size()) % 4;
    const std::size_t transport = kBth + info(packet.opcode).extra_bytes + payload.size() + pad + kIcrc;
    Frame frame;
    frame.reserve(kEthernet + kIpv4 + kUdp + transport);
    put_ethernet(frame, from, to);
    put_ipv4(frame, kUdp + transport, from.ip, to.ip);
    put_udp(frame, transport, packet.source);
    put_bth(frame, packet, pad);
    put_extensions(frame, packet);
    frame.insert(frame.end(), payload.begin(), payload.end());
    frame.resize(frame.size() + pad + kIcrc);
    const std::size_t icrc_at = frame.size() - kIcrc;
    store_le(frame.data() + icrc_at, icrc(std::span{frame}.first(icrc_at).subspan(kEthernet)));
    if (packet.damaged) {
        frame.back() ^= std::byte{0xFF};
    }
    frame.resize(std::max(frame.size(), kSmallestFrame));
    return frame;
}

}  // namespace ndsim

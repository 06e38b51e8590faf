// SPDX-License-Identifier: Apache-2.0
#include "models/proto/wire_format.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "models/proto/icrc.hpp"
#include "models/proto/lane_state.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::wire_format_test {

constexpr std::size_t kEthernet = 14;

std::vector<std::byte> bytes_of(std::string_view hex) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes.push_back(static_cast<std::byte>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
    }
    return bytes;
}

std::string hex_of(std::span<const std::byte> bytes) {
    std::string hex;
    for (const std::byte byte : bytes) {
        hex += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    }
    return hex;
}

// The ICRC of a packet that begins with its IPv4 header, as it stands on the wire.
std::string icrc_of(std::span<const std::byte> from_ip_to_pad) {
    std::vector<std::byte> sent;
    for (unsigned i = 0; i < 4; ++i) {
        sent.push_back(static_cast<std::byte>((icrc(from_ip_to_pad) >> (8 * i)) & 0xFFU));
    }
    return hex_of(sent);
}

std::span<const std::byte> text(std::string_view word) {
    return std::as_bytes(std::span{word.data(), word.size()});
}

// The ends of vectors C to F: 10.0.0.1 and 10.0.0.2.
const PortAddress kFrom = port_address(HostId{0}, 1, 0x0A00'0001);
const PortAddress kTo = port_address(HostId{1}, 1, 0x0A00'0002);

std::vector<std::byte> frame_of(const Packet& packet, std::span<const std::byte> payload = {}) {
    return wire_frame(packet, kFrom, kTo, payload);
}

// The frame from its IPv4 header on.
std::string from_ip(const Packet& packet, std::string_view payload = {}) {
    return hex_of(std::span<const std::byte>{frame_of(packet, text(payload))}.subspan(kEthernet));
}

// As the vectors have it, the source port is 49152: queue pair 0's.
Packet packet_of(Opcode opcode, std::uint32_t destination, std::uint32_t psn) {
    Packet packet;
    packet.opcode = opcode;
    packet.destination = QpNum{destination};
    packet.psn = Psn{psn};
    return packet;
}

Packet acknowledge(std::uint32_t psn, std::uint8_t syndrome) {
    Packet packet = packet_of(Opcode::acknowledge, 0x12, psn);
    packet.aeth = {syndrome, 2};
    return packet;
}

TEST_CASE("icrc: vectors A and B, which are public", "[X4]") {
    // A: IPv4 of 64 bytes (0x40), id 1144 (0x478); UDP 49152 -> 4791 (0x12B7), 44 bytes (0x2C); BTH 0x24, MigReq and
    // 2 bytes of pad (0x60), QPN 211 (0xD3), PSN 13571856 (0xCF1710).
    CHECK(icrc_of(bytes_of("4501004004784000"
                           "4011b4d5c0a80007c0a80007"
                           "c00012b7002c0000"
                           "2460ffff000000d300cf1710"
                           "4630818be28935d90e9a95505401be885e500000")) == "78f353f3");
    CHECK(icrc_of(bytes_of("45c2003c718c4000401191610a0011010a001201"
                           "000012b700280000"
                           "8100ffff4000011800000000"
                           "00000000000000000000000000000000")) == "82fd002a");
}

TEST_CASE("wire format: vectors C to F, byte by byte", "[X1][X2][X3][X4]") {
    Packet send = packet_of(Opcode::send_only, 0x11, 0x1000);
    send.ack_request = true;
    CHECK(from_ip(send, "hello") ==
          "4502003400004000401126b50a0000010a000002c00012b7002000000470ffff000000118000100068656c6c6f000000c628b01c");
    Packet invalidate = packet_of(Opcode::send_only_with_invalidate, 0x11, 0x1001);
    invalidate.ack_request = true;
    invalidate.key = MrKey{0x1234};
    CHECK(from_ip(invalidate, "bye!") ==
          "4502003400004000401126b50a0000010a000002c00012b7002000001740ffff000000118000100100001234627965213da3006f");
    CHECK(from_ip(acknowledge(0x1001, Aeth::kAck)) ==
          "4502003000004000401126b90a0000010a000002c00012b7001c00001140ffff00000012000010011f000002be319764");
    CHECK(from_ip(acknowledge(0x1002, Aeth::kRnrNak | 8U)) ==
          "4502003000004000401126b90a0000010a000002c00012b7001c00001140ffff000000120000100228000002768bcb4e");
}

TEST_CASE("wire format: the ICRC of a damaged packet is wrong, and nothing else, with a pad behind it or without",
          "[X4]") {
    for (const std::string_view payload : {"", "hello"}) {
        Packet send = packet_of(Opcode::send_only, 0x11, 0x1000);
        std::vector<std::byte> right = frame_of(send, text(payload));
        send.damaged = true;
        const std::vector<std::byte> wrong = frame_of(send, text(payload));
        // Ethernet 14, IPv4 20, UDP 8, BTH 12, payload with its pad 0 or 8, ICRC 4
        const std::size_t end = payload.empty() ? 58 : 66;
        REQUIRE(wrong.size() == std::max<std::size_t>(end, 60));
        CHECK(std::equal(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(end - 4), wrong.begin()));
        CHECK(right[end - 1] != wrong[end - 1]);
        CHECK(std::equal(right.begin() + static_cast<std::ptrdiff_t>(end), right.end(),
                         wrong.begin() + static_cast<std::ptrdiff_t>(end)));
    }
}

TEST_CASE("icrc: what routers may change does not break it, anything else does", "[X4]") {
    // Vector D; TOS is byte 1 of it, TTL 8, IPv4 checksum 10 and 11, UDP checksum 26 and 27, FECN and BECN 32.
    const std::vector<std::byte> packet = bytes_of(
        "4502003400004000401126b50a0000010a000002c00012b7002000001740ffff000000118000100100001234627965213da3006f");
    const std::vector<std::size_t> may_change{1, 8, 10, 11, 26, 27, 32};
    const std::size_t icrc_at = packet.size() - 4;
    for (std::size_t i = 0; i < icrc_at; ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::vector<std::byte> changed = packet;
            changed[i] ^= std::byte{1} << bit;
            const bool valid = icrc_of(std::span{changed}.first(icrc_at)) == "3da3006f";
            CHECK(valid == (std::ranges::find(may_change, i) != may_change.end()));
        }
    }
}

TEST_CASE("wire format: the Ethernet header, with locally administered addresses", "[X1]") {
    CHECK(hex_of(port_address(HostId{0x0102}, 3, 0).mac) == "020000010203");
    // To host 1, from host 0, each at its port 1; IPv4.
    CHECK(hex_of(std::span<const std::byte>{frame_of(packet_of(Opcode::send_only, 0x11, 0))}.first(kEthernet)) ==
          "020000000101"
          "020000000001"
          "0800");
}

TEST_CASE("wire format: a frame has 60 bytes at least, filled up behind the ICRC", "[X1]") {
    // 14 + 20 + 8 + 12 + 4 = 58 bytes, and 2 of filling; IPv4 (0x2C = 44) and UDP (0x18 = 24) do not count them.
    const std::vector<std::byte> frame = frame_of(packet_of(Opcode::send_only, 0x11, 0));
    CHECK(frame.size() == 60);
    CHECK(hex_of(std::span{frame}.subspan(16, 2)) == "002c");
    CHECK(hex_of(std::span{frame}.subspan(38, 2)) == "0018");
    CHECK(hex_of(std::span{frame}.subspan(54)) == icrc_of(std::span{frame}.subspan(14, 40)) + "0000");
}

TEST_CASE("wire format: a frame has the bytes that the lane counts, without preamble, FCS and gap", "[X1][X3]") {
    const std::vector<std::byte> payload(4096);
    std::size_t opcodes = 0;
    for (unsigned value = 0; value < 256; ++value) {
        Packet packet;
        packet.opcode = static_cast<Opcode>(value);
        if (lane_state(packet.opcode) == 0) {
            continue;  // not an opcode
        }
        ++opcodes;
        for (const std::uint32_t length : {0U, 1U, 2U, 3U, 4U, 5U, 64U, 4096U}) {
            packet.payload_bytes = length;
            // Preamble 8, FCS 4, gap 12.
            CHECK(frame_of(packet, std::span{payload}.first(length)).size() + 24 == wire_bytes(packet).count);
        }
    }
    CHECK(1 + opcodes + kNakNames.size() == lane_states().size());
}

TEST_CASE("wire format: the pad fills the payload up to 4 bytes with zeros and is counted in the BTH", "[X3]") {
    const std::vector<std::string> padded{"", "61000000", "61620000", "61626300", "61626364"};
    const std::vector<std::string> second_byte{"40", "70", "60", "50", "40"};  // MigReq, and the pad from bit 4 on
    for (std::size_t n = 0; n < padded.size(); ++n) {
        const std::string hex = from_ip(packet_of(Opcode::send_middle, 0x11, 0), std::string_view("abcd").substr(0, n));
        CHECK(hex.substr(2 * 29, 2) == second_byte[n]);
        CHECK(hex.substr(2 * 40, padded[n].size()) == padded[n]);
    }
}

TEST_CASE("wire format: solicited event, request for an acknowledgement, source port", "[X1]") {
    Packet packet = packet_of(Opcode::send_last, 0xAB'CDEF, 0xFF'FFFE);
    packet.solicited = true;
    packet.ack_request = true;
    packet.source = QpNum{0x11};  // port 0xC000 + 0x11
    const std::string hex = from_ip(packet, "abcd");
    CHECK(hex.substr(2 * 20, 8) == "c01112b7");
    CHECK(hex.substr(2 * 28, 24) == "02c0ffff00abcdef80fffffe");
    packet.source = QpNum{0x4012};  // 14 bits of it
    CHECK(from_ip(packet, "abcd").substr(2 * 20, 8) == "c01212b7");
}

TEST_CASE("wire format: extension headers stand behind the BTH", "[X1][X2]") {
    Packet packet;
    packet.remote = Address{0x0102'0304'0506'0708};
    packet.key = MrKey{0x0A0B'0C0D};
    packet.dma_length = 0x1112'1314;
    packet.aeth = {0x62, 0xAB'CDEF};
    packet.source = QpNum{1};
    const auto extensions = [&packet](Opcode opcode) {
        packet.opcode = opcode;
        return from_ip(packet).substr(2 * 40, std::size_t{2} * info(opcode).extra_bytes);
    };
    const std::string reth = "01020304050607080a0b0c0d11121314";  // address, key, length of the whole message
    CHECK(extensions(Opcode::write_first) == reth);
    CHECK(extensions(Opcode::write_only) == reth);
    CHECK(extensions(Opcode::read_request) == reth);
    const std::string aeth = "62abcdef";  // syndrome, MSN
    CHECK(extensions(Opcode::acknowledge) == aeth);
    CHECK(extensions(Opcode::read_response_first) == aeth);
    CHECK(extensions(Opcode::read_response_last) == aeth);
    CHECK(extensions(Opcode::read_response_only) == aeth);
    CHECK(extensions(Opcode::send_last_with_invalidate) == "0a0b0c0d");
    CHECK(extensions(Opcode::ud_send_only) == "8001000000000001");  // Q_Key of queue pair 1, source queue pair
    for (const Opcode none : {Opcode::send_first, Opcode::send_middle, Opcode::send_last, Opcode::send_only,
                              Opcode::write_middle, Opcode::write_last, Opcode::read_response_middle}) {
        CHECK(extensions(none).empty());
    }
}

}  // namespace ndsim::test::wire_format_test

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

#include "models/proto/cqe.hpp"
#include "models/proto/lane_state.hpp"
#include "models/proto/packet.hpp"
#include "models/proto/segment.hpp"
#include "models/proto/wqe.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::formats_test {

std::array<unsigned, 64> numbers(const std::byte* bytes) {
    std::array<unsigned, 64> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = std::to_integer<unsigned>(bytes[i]);
    }
    return result;
}

Bytes on_wire(Opcode opcode, std::uint32_t payload, Framing framing = Framing::ethernet) {
    Packet packet;
    packet.framing = framing;
    packet.opcode = opcode;
    packet.payload_bytes = payload;
    return wire_bytes(packet);
}

TEST_CASE("opcode: extension headers and places in a message [wire.md 1.4]", "[X2]") {
    CHECK(info(Opcode::send_only).extra_bytes == 0);
    CHECK(info(Opcode::acknowledge).extra_bytes == 4);                // AETH
    CHECK(info(Opcode::send_last_with_invalidate).extra_bytes == 4);  // IETH
    CHECK(info(Opcode::send_only_with_invalidate).extra_bytes == 4);
    CHECK(info(Opcode::ud_send_only).extra_bytes == 8);  // DETH
    CHECK(static_cast<int>(Opcode::send_last_with_invalidate) == 0x16);
    CHECK(static_cast<int>(Opcode::send_only_with_invalidate) == 0x17);
    CHECK_FALSE(info(Opcode::acknowledge).request);
    CHECK(info(packet_opcode(Operation::send, true, true)).name == "SEND_ONLY");
    CHECK(info(packet_opcode(Operation::send, true, false)).name == "SEND_FIRST");
    CHECK(info(packet_opcode(Operation::send, false, false)).name == "SEND_MIDDLE");
    CHECK(info(packet_opcode(Operation::send, false, true)).name == "SEND_LAST");
    for (const bool first : {false, true}) {
        for (const bool last : {false, true}) {
            CHECK(info(packet_opcode(Operation::send, first, last)).first == first);
            CHECK(info(packet_opcode(Operation::send, first, last)).last == last);
            CHECK(info(packet_opcode(Operation::send, first, last)).request);
        }
    }
    // WRITE_FIRST 0x06 ... WRITE_ONLY 0x0A; RETH of 16 bytes where the message begins.
    CHECK(static_cast<int>(packet_opcode(Operation::write, true, false)) == 0x06);
    CHECK(static_cast<int>(packet_opcode(Operation::write, false, false)) == 0x07);
    CHECK(static_cast<int>(packet_opcode(Operation::write, false, true)) == 0x08);
    CHECK(static_cast<int>(packet_opcode(Operation::write, true, true)) == 0x0A);
    for (const bool first : {false, true}) {
        for (const bool last : {false, true}) {
            const OpcodeInfo& row = info(packet_opcode(Operation::write, first, last));
            CHECK(row.operation == Operation::write);
            CHECK(row.extra_bytes == (first ? 16 : 0));
            CHECK(row.first == first);
            CHECK(row.last == last);
        }
    }
    // READ_REQUEST 0x0C with a RETH; responses 0x0D to 0x10, an AETH in all but the middle ones.
    CHECK(info(Opcode{0x0C}).name == "READ_REQUEST");
    CHECK(info(Opcode{0x0C}).extensions == kReth);
    CHECK(info(Opcode{0x0C}).request);
    for (const auto& [value, name, extensions] :
         {std::tuple{0x0D, "READ_RESP_FIRST", kAeth}, std::tuple{0x0E, "READ_RESP_MIDDLE", kNoExtension},
          std::tuple{0x0F, "READ_RESP_LAST", kAeth}, std::tuple{0x10, "READ_RESP_ONLY", kAeth}}) {
        const OpcodeInfo& row = info(static_cast<Opcode>(value));
        CHECK(row.name == name);
        CHECK(row.extensions == extensions);
        CHECK_FALSE(row.request);
        CHECK(row.first == (value == 0x0D || value == 0x10));
        CHECK(row.last == (value == 0x0F || value == 0x10));
    }
    CHECK(info(Opcode::acknowledge).extensions == kAeth);
    CHECK(info(Opcode::send_last_with_invalidate).extensions == kIeth);
    CHECK(info(Opcode::send_only_with_invalidate).extensions == kIeth);
    CHECK(info(Opcode::ud_send_only).extensions == kDeth);
    CHECK(info(Opcode::write_first).extensions == kReth);
    CHECK(info(Opcode::write_middle).extensions == kNoExtension);
    CHECK_THROWS_AS(info(Opcode{0x15}), std::logic_error);  // reserved
    CHECK(lane_states()[0] == "idle");
    CHECK(lane_states()[lane_state(Opcode::acknowledge)] == "ACK");
}

// The three upper bits of the syndrome are its kind: 0 acknowledges, 1 is an RNR NAK with its timer, 3 a NAK with its
// code.
TEST_CASE("lane states: an acknowledgement that refuses has the name of its kind") {
    const auto name = [](Opcode opcode, std::uint8_t syndrome) {
        Packet packet;
        packet.opcode = opcode;
        packet.aeth.syndrome = syndrome;
        return lane_states()[lane_state(packet)];
    };
    CHECK(name(Opcode::acknowledge, 0x00) == "ACK");  // with credits
    CHECK(name(Opcode::acknowledge, 0x1F) == "ACK");
    CHECK(name(Opcode::acknowledge, 0x20) == "RNR_NAK");
    CHECK(name(Opcode::acknowledge, 0x2C) == "RNR_NAK");  // timer code 12
    CHECK(name(Opcode::acknowledge, 0x60) == "NAK_PSN_SEQ");
    CHECK(name(Opcode::acknowledge, 0x61) == "NAK_INV_REQ");
    CHECK(name(Opcode::acknowledge, 0x62) == "NAK_REM_ACCESS");
    CHECK(name(Opcode::acknowledge, 0x63) == "NAK_REM_OP");
    CHECK(name(Opcode::read_response_last, 0x60) == "READ_RESP_LAST");
}

TEST_CASE("packet: bytes on the lane, the examples of wire.md 1.1", "[X1][formula]") {
    CHECK(on_wire(Opcode::send_only, 0) == 84_B);
    CHECK(on_wire(Opcode::send_only, 64) == 146_B);
    CHECK(on_wire(Opcode::send_middle, 1024) == 1106_B);
    CHECK(on_wire(Opcode::send_middle, 4096) == 4178_B);
    CHECK(on_wire(Opcode::send_only_with_invalidate, 0) == 86_B);
    CHECK(on_wire(Opcode::send_last_with_invalidate, 64) == 150_B);
    CHECK(on_wire(Opcode::send_last_with_invalidate, 4096) == 4182_B);
    CHECK(on_wire(Opcode::acknowledge, 0) == 86_B);
    CHECK(on_wire(Opcode::write_only, 64) == 162_B);
    CHECK(on_wire(Opcode::write_first, 4096) == 4194_B);
    CHECK(on_wire(Opcode::read_request, 0) == 98_B);
    CHECK(on_wire(Opcode::read_response_only, 64) == 150_B);
    CHECK(on_wire(Opcode::read_response_first, 4096) == 4182_B);
    CHECK(on_wire(Opcode::read_response_middle, 4096) == 4178_B);
    // The payload is padded to 4: 1 to 4 bytes all take 86; 5 take 90.
    CHECK(on_wire(Opcode::send_only, 1) == 86_B);
    CHECK(on_wire(Opcode::send_only, 4) == 86_B);
    CHECK(on_wire(Opcode::send_only, 5) == 90_B);
}

// LRH 8, BTH 12, ICRC 4 and VCRC 2 are 26; RETH 16, AETH 4, DETH 8, and no least size.
TEST_CASE("packet: bytes on the lane of an InfiniBand link", "[formula]") {
    constexpr Framing kInfiniBand = Framing::infiniband;
    CHECK(on_wire(Opcode::send_only, 0, kInfiniBand) == 26_B);
    CHECK(on_wire(Opcode::send_only, 1, kInfiniBand) == 30_B);  // padded to 4
    CHECK(on_wire(Opcode::send_only, 64, kInfiniBand) == 90_B);
    CHECK(on_wire(Opcode::send_middle, 4096, kInfiniBand) == 4122_B);
    CHECK(on_wire(Opcode::acknowledge, 0, kInfiniBand) == 30_B);
    CHECK(on_wire(Opcode::write_only, 64, kInfiniBand) == 106_B);
    CHECK(on_wire(Opcode::read_request, 0, kInfiniBand) == 42_B);
    CHECK(on_wire(Opcode::read_response_only, 64, kInfiniBand) == 94_B);
    CHECK(on_wire(Opcode::ud_send_only, 256, kInfiniBand) == 290_B);
}

TEST_CASE("psn: 24 bits, compared as a signed distance [wire.md 2.7]") {
    CHECK(Psn{0x100'0005}.value() == 5);
    CHECK((Psn{0xFF'FFFF} + 1).value() == 0);
    CHECK((Psn{0} - 1).value() == 0xFF'FFFF);
    Psn psn{0xFF'FFFF};
    CHECK((++psn).value() == 0);
    CHECK(Psn{3}.ahead_of(Psn{0xFF'FFFE}) == 5);
    CHECK(Psn{0xFF'FFFE}.ahead_of(Psn{3}) == -5);
    CHECK(Psn{0x7F'FFFF}.ahead_of(Psn{0}) == 0x7F'FFFF);
    CHECK(Psn{0x80'0000}.ahead_of(Psn{0}) == -0x80'0000);
    CHECK(Psn{7}.ahead_of(Psn{7}) == 0);
}

TEST_CASE("segment: first and middle packets are full, an empty message is one packet") {
    CHECK(packet_count(0, 1024) == 1);
    CHECK(packet_count(1, 1024) == 1);
    CHECK(packet_count(1024, 1024) == 1);
    CHECK(packet_count(1025, 1024) == 2);
    CHECK(packet_count(0x8000'0000U, 4096) == 0x8'0000);  // the largest message
    CHECK(packet_bytes(0, 0, 1024) == 0);
    CHECK(packet_bytes(2500, 0, 1024) == 1024);
    CHECK(packet_bytes(2500, 1024, 1024) == 1024);
    CHECK(packet_bytes(2500, 2048, 1024) == 452);
}

TEST_CASE("wqe: every byte of an entry with scatter/gather entries") {
    std::array<std::byte, 64> entry{};
    write_wqe_header(entry.data(),
                     {WqeOpcode::send, kWqeSignaled | kWqeSolicited, 2, 0x0403'0201, 0x0807'0605, 0x0C0B'0A09});
    write_wqe_sge(entry.data() + kWqeHeader, 0, {Address{0x1817'1615'1413'1211}, 0x1C1B'1A19, MrKey{0x201F'1E1D}});
    write_wqe_sge(entry.data() + kWqeHeader, 1, {Address{0x2827'2625'2423'2221}, 0x2C2B'2A29, MrKey{0x302F'2E2D}});
    std::array<unsigned, 64> expected{1, 5, 2, 0};
    for (unsigned i = 0; i < 12; ++i) {
        expected[4 + i] = 1 + i;
    }
    for (unsigned i = 0; i < 32; ++i) {
        expected[16 + i] = 0x11 + i;
    }
    CHECK(numbers(entry.data()) == expected);

    Wqe wqe;
    wqe.inline_data.resize(3);  // of an earlier use
    decode_wqe(entry, wqe);
    CHECK(wqe.header.opcode == WqeOpcode::send);
    CHECK(wqe.header.index == 0x0403'0201);
    CHECK(wqe.header.request == 0x0807'0605);
    CHECK(wqe.header.token == 0x0C0B'0A09);
    CHECK(wqe.inline_data.empty());
    REQUIRE(wqe.sges.size() == 2);
    CHECK(wqe.sges[1].address == Address{0x2827'2625'2423'2221});
    CHECK(wqe.sges[1].length == 0x2C2B'2A29);
    CHECK(wqe.sges[1].key == MrKey{0x302F'2E2D});
}

TEST_CASE("wqe: inline data stands behind the header") {
    std::array<std::byte, 128> entry{};
    write_wqe_header(entry.data(), {WqeOpcode::send, kWqeInline, 49, 0, 0, 0});
    entry[16] = std::byte{7};
    entry[64] = std::byte{8};
    CHECK(read_wqe_header(entry.data()).units() == 2);  // 16 + 49 = 65 bytes
    Wqe wqe;
    decode_wqe(entry, wqe);
    CHECK(wqe.length() == 49);
    REQUIRE(wqe.inline_data.size() == 49);
    CHECK(wqe.inline_data.front() == std::byte{7});
    CHECK(wqe.inline_data.back() == std::byte{8});
}

TEST_CASE("wqe: a unit of 64 bytes holds the header and three entries or 48 bytes") {
    CHECK(wqe_units(WqeOpcode::send, 0, 0) == 1);
    CHECK(wqe_units(WqeOpcode::send, 3, 0) == 1);
    CHECK(wqe_units(WqeOpcode::send, 4, 0) == 2);
    CHECK(wqe_units(WqeOpcode::send, 0, 48) == 1);
    CHECK(wqe_units(WqeOpcode::send, 0, 49) == 2);
    CHECK(wqe_units(WqeOpcode::send, 30, 220) == 8);  // 16 + 480
    CHECK(wqe_units(WqeOpcode::send, 1, 220) == 4);   // 16 + 220
}

TEST_CASE("wqe: a write names the peer's memory behind its header, and has room for two entries in a unit") {
    CHECK(wqe_units(WqeOpcode::write, 2, 0) == 1);
    CHECK(wqe_units(WqeOpcode::write, 3, 0) == 2);  // 16 + 16 + 48
    CHECK(wqe_units(WqeOpcode::write, 0, 32) == 1);
    CHECK(wqe_units(WqeOpcode::write, 0, 33) == 2);
    std::array<std::byte, 128> entry{};
    const WqeHeader header{.opcode = WqeOpcode::write, .count = 1};
    write_wqe_header(entry.data(), header);
    write_wqe_remote(entry.data(), {Address{0x0807'0605'0403'0201}, MrKey{0x0C0B'0A09}});
    write_wqe_sge(entry.data() + header.body_at(), 0, {Address{77}, 5, MrKey{6}});
    std::array<unsigned, 16> remote{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    CHECK(std::equal(remote.begin(), remote.end(), entry.begin() + 16,
                     [](unsigned a, std::byte b) { return a == std::to_integer<unsigned>(b); }));
    Wqe wqe;
    decode_wqe(entry, wqe);
    CHECK(wqe.remote.address == Address{0x0807'0605'0403'0201});
    CHECK(wqe.remote.key == MrKey{0x0C0B'0A09});
    REQUIRE(wqe.sges.size() == 1);
    CHECK(wqe.sges[0].address == Address{77});
    CHECK(wqe.length() == 5);
}

TEST_CASE("wqe: every byte of a FastRegister") {
    const WqeHeader header{WqeOpcode::fast_register, kWqeSignaled, 2, 0x0403'0201, 0x0807'0605, 0x0C0B'0A09};
    KeyOperation operation;
    operation.address = Address{0x1817'1615'1413'1211};
    operation.length = 0x201F'1E1D'1C1B'1A19;
    operation.parent = MrKey{0x2423'2221};
    operation.first_byte = 0x2827'2625;
    operation.access = 0x29;
    operation.pages = {Address{0x3837'3635'3433'3231}, Address{0x403F'3E3D'3C3B'3A39}};
    std::array<std::byte, 64> entry;
    entry.fill(std::byte{0xFF});
    write_wqe_header(entry.data(), header);
    write_wqe_key_operation(entry.data(), operation);
    std::array<unsigned, 64> expected{7, 1, 2, 0};
    for (unsigned i = 0; i < 12; ++i) {
        expected[4 + i] = 1 + i;
    }
    for (unsigned i = 0; i < 25; ++i) {
        expected[16 + i] = 0x11 + i;  // then seven bytes of zero
    }
    for (unsigned i = 0; i < 16; ++i) {
        expected[48 + i] = 0x31 + i;
    }
    CHECK(numbers(entry.data()) == expected);

    Wqe wqe;
    wqe.sges.resize(1);  // of an earlier use
    wqe.operation.pages.resize(5);
    decode_wqe(entry, wqe);
    CHECK(wqe.header.is_local());
    CHECK(wqe.sges.empty());
    CHECK(wqe.length() == 0);
    CHECK(wqe.operation.opcode == WqeOpcode::fast_register);
    CHECK(wqe.operation.key == MrKey{0x0C0B'0A09});
    CHECK(wqe.operation.address == operation.address);
    CHECK(wqe.operation.length == operation.length);
    CHECK(wqe.operation.parent == operation.parent);
    CHECK(wqe.operation.first_byte == operation.first_byte);
    CHECK(wqe.operation.access == operation.access);
    CHECK(wqe.operation.pages == operation.pages);
}

TEST_CASE("wqe: an entry for a key has room for two pages in its first unit, and for eight in each further one") {
    CHECK(wqe_units(WqeOpcode::bind, 0, 0) == 1);
    CHECK(wqe_units(WqeOpcode::invalidate, 0, 0) == 1);
    CHECK(wqe_units(WqeOpcode::fast_register, 2, 0) == 1);   // 16 + 32 + 16
    CHECK(wqe_units(WqeOpcode::fast_register, 3, 0) == 2);   // 72
    CHECK(wqe_units(WqeOpcode::fast_register, 10, 0) == 2);  // 128
    CHECK(wqe_units(WqeOpcode::fast_register, 16, 0) == 3);  // 176
    CHECK(WqeHeader{.opcode = WqeOpcode::fast_register, .count = 10}.units() == 2);
    CHECK(WqeHeader{.opcode = WqeOpcode::fast_register, .count = 11}.units() == 3);
    CHECK_FALSE(WqeHeader{.opcode = WqeOpcode::send_and_invalidate}.is_local());
    CHECK_FALSE(WqeHeader{.opcode = WqeOpcode::read}.is_local());
}

TEST_CASE("cqe: every byte of an entry, the owner in the last one") {
    Cqe cqe;
    cqe.qp = QpNum{0x0403'0201};
    cqe.wqe_index = 0x0807'0605;
    cqe.bytes = 0x0C0B'0A09;
    cqe.token = 0x100F'0E0D;
    cqe.opcode = WqeOpcode::receive;
    cqe.status = WcStatus::wr_flush;
    cqe.solicited = true;
    cqe.moved = true;
    cqe.request = 0x1817'1615;
    cqe.written = Picoseconds{0x201F'1E1D'1C1B'1A19};
    std::array<std::byte, 64> entry{};
    write_cqe(entry.data(), cqe, true);
    std::array<unsigned, 64> expected{};
    for (unsigned i = 0; i < 16; ++i) {
        expected[i] = i + 1;
    }
    expected[16] = 2;
    expected[17] = 5;
    expected[18] = 1;
    expected[19] = 1;
    for (unsigned i = 20; i < 32; ++i) {
        expected[i] = i + 1;
    }
    expected[63] = 1;
    CHECK(numbers(entry.data()) == expected);
    CHECK(cqe_owner(entry.data()));

    const Cqe read = read_cqe(entry.data());
    CHECK(read.qp == cqe.qp);
    CHECK(read.wqe_index == cqe.wqe_index);
    CHECK(read.bytes == cqe.bytes);
    CHECK(read.token == cqe.token);
    CHECK(read.opcode == cqe.opcode);
    CHECK(read.status == cqe.status);
    CHECK(read.solicited);
    CHECK(read.moved);
    CHECK(cqe_moved(entry.data()));
    CHECK(read.request == cqe.request);
    CHECK(read.written == cqe.written);
    write_cqe(entry.data(), cqe, false);
    CHECK_FALSE(cqe_owner(entry.data()));
}

TEST_CASE("cqe: the owner flips with every turn, 1 in the first") {
    CHECK(cqe_owner_of(0, 3));
    CHECK(cqe_owner_of(2, 3));
    CHECK_FALSE(cqe_owner_of(3, 3));
    CHECK_FALSE(cqe_owner_of(5, 3));
    CHECK(cqe_owner_of(6, 3));
}

}  // namespace ndsim::test::formats_test

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/packet_capture.hpp"

#include <cstring>

#include "tests/scenarios/record/capture_support.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::packet_capture_test {

using namespace std::chrono_literals;

// Two hosts and the lanes between them; what the lanes carry is told by hand.
struct Bench {
    explicit Bench(CaptureOptions options = {}) : capture(at(file, std::move(options)), hosts(), {}, payloads) {}

    static CaptureOptions at(const CaptureFile& file, CaptureOptions options) {
        if (options.path.empty()) {
            options.path = file.path();
        }
        return options;
    }
    static std::vector<CaptureHost> hosts() {
        return {{"A", port_address(HostId{0}, 1, 0x0A00'0001)}, {"B", port_address(HostId{1}, 1, 0x0A00'0002)}};
    }
    // A Send of one packet from A, whose payload is `text`.
    Packet send(std::uint32_t number, std::string_view text, RequestId request = {HostId{0}, 12}) {
        Packet packet;
        packet.opcode = Opcode::send_only;
        packet.from = HostId{0};
        packet.to = HostId{1};
        packet.number = number;
        packet.request = request;
        packet.payload_bytes = static_cast<std::uint32_t>(text.size());
        packet.payload = payloads.take();
        std::memcpy(payloads.data(packet.payload), text.data(), text.size());
        return packet;
    }
    [[nodiscard]] std::vector<ReadPacket> packets() const { return read_packets(file.bytes()); }

    CaptureFile file{"capture.pcapng"};
    PayloadPool payloads;
    PacketCapture capture;
    LaneTap& there = capture.tap(0, 1);
    LaneTap& back = capture.tap(1, 0);
};

void carry(LaneTap& tap, const Packet& packet, Interval lane, Picoseconds arrives) {
    tap.sent(packet, lane);
    tap.arrives(packet, {lane.end, arrives});
}

TEST_CASE("capture: a packet leaves its sender's port when it starts, and is at the receiver's with its last byte") {
    Bench bench;
    carry(bench.there, bench.send(7, "abcd"), {1us, 1100ns}, 1300ns);
    CHECK_FALSE(bench.capture.close(2us).has_value());
    const auto packets = bench.packets();
    REQUIRE(packets.size() == 2);
    CHECK(packets[0].interface == 0);
    CHECK(packets[0].flags == 2);
    CHECK(packets[0].nanoseconds == 1000);
    CHECK(packets[0].comment == "request A.12, packet 7 of A, at 1000000 ps");
    CHECK(packets[1].interface == 1);
    CHECK(packets[1].flags == 1);
    CHECK(packets[1].nanoseconds == 1300);
    CHECK(packets[1].comment == "request A.12, packet 7 of A, at 1300000 ps");
    CHECK(packets[0].id == 7);
    CHECK(packets[1].id == 7);
    CHECK(packets[0].frame == packets[1].frame);
    // Ethernet 14, IPv4 20, UDP 8, BTH 12, payload 4, ICRC 4; to host 1, from host 0.
    CHECK(packets[0].frame.size() == 62);
    CHECK(packets[0].frame.substr(54, 4) == "abcd");
    CHECK(packets[0].frame.substr(4, 2) == "\x01\x01");
    CHECK(packets[0].frame.substr(10, 2) == std::string("\x00\x01", 2));
}

TEST_CASE("capture: the payload is what travelled, whatever becomes of its buffer") {
    Bench bench;
    const Packet packet = bench.send(1, "before");
    carry(bench.there, packet, {1us, 2us}, 3us);
    std::memcpy(bench.payloads.data(packet.payload), "after!", 6);
    CHECK_FALSE(bench.capture.close(4us).has_value());
    REQUIRE(bench.packets().size() == 2);
    CHECK(bench.packets()[1].frame.substr(54, 6) == "before");
}

TEST_CASE("capture: packets stand in the order of their times, in one picosecond in that of the ports") {
    Bench bench;
    // Lane back is told of first; both packets are on the way when the third starts.
    Packet of_b = bench.send(1, "b", {});
    std::swap(of_b.from, of_b.to);
    carry(bench.back, of_b, {1us, 1100ns}, 1500ns);
    carry(bench.there, bench.send(1, "a", {}), {1us, 1100ns}, 1400ns);
    carry(bench.there, bench.send(2, "c", {}), {1200ns, 1300ns}, 1500ns);
    CHECK_FALSE(bench.capture.close(2us).has_value());
    std::vector<std::string> order;
    for (const ReadPacket& packet : bench.packets()) {
        order.push_back(packet.comment);
    }
    CHECK(order == std::vector<std::string>{
                       "packet 1 of A, at 1000000 ps",  // leaves A
                       "packet 1 of B, at 1000000 ps",  // leaves B
                       "packet 2 of A, at 1200000 ps",  // leaves A
                       "packet 1 of A, at 1400000 ps",  // is at B
                       "packet 1 of B, at 1500000 ps",  // is at A
                       "packet 2 of A, at 1500000 ps",  // is at B
                   });
    // A's packet 1 and B's are two packets.
    CHECK(bench.packets()[0].id != bench.packets()[1].id);
}

TEST_CASE("capture: what was still on the way at the end has not arrived") {
    Bench bench;
    carry(bench.there, bench.send(1, "a"), {1us, 2us}, 3us);
    carry(bench.there, bench.send(2, "b"), {2us, 3us}, 4us);
    CHECK_FALSE(bench.capture.close(3us).has_value());
    REQUIRE(bench.packets().size() == 3);
    CHECK(bench.packets()[2].nanoseconds == 3000);
    CHECK(bench.packets()[2].id == 1);
}

TEST_CASE("capture: the window holds for each port, both ends included") {
    CaptureOptions options;
    options.start = 2us;
    options.stop = 4us;
    Bench bench(options);
    carry(bench.there, bench.send(1, "a"), {Picoseconds{1us}, 1100ns}, Picoseconds{2us} - Picoseconds{1});
    carry(bench.there, bench.send(2, "b"), {1500ns, 1600ns}, 2us);  // arrives in it
    carry(bench.there, bench.send(3, "c"), {2us, 2100ns}, 4us);     // all of it in it
    carry(bench.there, bench.send(4, "d"), {4us, 4100ns}, 5us);     // leaves in it
    carry(bench.there, bench.send(5, "e"), {Picoseconds{4us} + Picoseconds{1}, 4200ns}, 5us);
    CHECK_FALSE(bench.capture.close(9us).has_value());
    std::vector<std::pair<std::uint64_t, std::uint32_t>> seen;  // packet, direction; at 2 and 4 us port A is first
    for (const ReadPacket& packet : bench.packets()) {
        seen.emplace_back(packet.id, packet.flags);
    }
    CHECK(seen == std::vector<std::pair<std::uint64_t, std::uint32_t>>{{3, 2}, {2, 1}, {4, 2}, {3, 1}});
    CHECK_FALSE(bench.capture.cut_at().has_value());
}

TEST_CASE(
    "capture: a file at its limit of size holds whole packets, and the time of the first that is missing is known") {
    CaptureOptions options;
    options.max_size = 1000_B;
    Bench bench(options);
    for (std::uint32_t i = 1; i <= 10; ++i) {
        carry(bench.there, bench.send(i, "abcd"), {i * 1us, i * 1us + 100ns}, i * 1us + 200ns);
    }
    CHECK_FALSE(bench.capture.close(20us).has_value());
    // Section and two ports: 3 x 44 = 132 bytes. A packet: 8 + 20 + 64 of 62 + comment 4 + 44 of 42 + 8 + 12 + 4 + 4
    // = 168. (1000 - 132) / 168 = 5.2: packets 1 and 2 leave and arrive, 3 leaves.
    CHECK(bench.file.bytes().size() == 132 + 5 * 168);
    CHECK(bench.packets().size() == 5);
    CHECK(bench.capture.cut_at() == Picoseconds{3200ns});
}

TEST_CASE("capture: what cannot be written is told at the end, and the run goes on") {
    CaptureOptions full;
    full.path = "/dev/full";
    Bench bench(full);
    CHECK(bench.capture.is_open());
    for (std::uint32_t i = 1; i <= 5000; ++i) {  // more than the buffer holds
        carry(bench.there, bench.send(i, "abcd"), {i * 1us, i * 1us + 100ns}, i * 1us + 200ns);
    }
    CHECK(bench.capture.close(9000us) == "/dev/full: No space left on device");
    CaptureOptions nowhere;
    nowhere.path = "/nowhere/packets.pcapng";
    Bench none(nowhere);
    CHECK_FALSE(none.capture.is_open());
    carry(none.there, none.send(1, "a"), {1us, 2us}, 3us);
    CHECK(none.capture.close(9us) == "/nowhere/packets.pcapng: No such file or directory");
}

}  // namespace ndsim::test::packet_capture_test

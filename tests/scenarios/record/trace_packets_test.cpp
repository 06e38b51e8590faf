// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/trace_packets.hpp"

#include "tests/scenarios/record/capture_support.hpp"
#include "tests/scenarios/record/trace_support.hpp"
#include "tests/support/bench.hpp"

namespace ndsim::test::trace_packets_test {

using Strings = std::vector<std::string>;

// Two hosts and the lanes between them, and a switch with a lane from A and a lane to B; what the lanes carry is told
// by hand.
struct Wire {
    Wire() {
        TracePackets::Port a{"A", 5_ps, track("A.nic.tx"), track("A.nic.rx")};
        TracePackets::Port b{"B", 5_ps, track("B.nic.tx"), track("B.nic.rx")};
        TracePackets::Port in{"s0.A", 10_ps, track("s0.A.queue"), track("s0.A.in"), 0};
        TracePackets::Port out{"s0.B", 10_ps, track("s0.B.queue"), track("s0.B.in"), 0};
        packets.emplace(stream, std::vector{a, b, in, out});
        there = &packets->tap(0, 1, track("there"), track("there.flight"));
        back = &packets->tap(1, 0, track("back"), track("back.flight"));
        up = &packets->tap(0, 2, track("up"), track("up.flight"));
        down = &packets->tap(3, 1, track("down"), track("down.flight"));
    }
    std::uint32_t track(const std::string& name) { return stream.add_track(process, name, 0); }
    // The packet is made in `host` from `at` on for 10 ps.
    void make(std::size_t host, const Packet& packet, Picoseconds at) {
        const std::uint64_t owner = stream.new_owner();
        stream.slice(maker, {at, at + 10_ps}, owner, R"("name":"make")");
        const bool response = info(packet.opcode).operation == Operation::read_response;
        packets->made(host, {packet.source, packet.psn.value(), {maker, at, owner}, at + 10_ps, response});
    }
    // It is on the lane for 20 ps, flies for 100 ps, and is through the pipeline 5 ps later.
    static void carry(LaneTap& tap, const Packet& packet, Picoseconds at) {
        tap.sent(packet, {at, at + 20_ps});
        tap.arrives(packet, {at + 105_ps, at + 120_ps});
    }
    [[nodiscard]] std::vector<ReadEvent> close() {
        packets->close();
        CHECK_FALSE(stream.close(10'000_ps).has_value());
        return read_trace(file.bytes());
    }

    CaptureFile file{"wire.json"};
    TraceStream stream{{file.path()}, [] { return Picoseconds{}; }};
    std::uint32_t process = stream.add_process("P", 0);
    std::uint32_t maker = track("maker");
    std::optional<TracePackets> packets;
    LaneTap* there = nullptr;
    LaneTap* back = nullptr;
    LaneTap* up = nullptr;
    LaneTap* down = nullptr;
};

Packet packet(Opcode opcode, std::uint32_t number, std::uint32_t psn) {
    Packet made;
    made.opcode = opcode;
    made.number = number;
    made.psn = Psn{psn};
    made.source = QpNum{0x11};
    made.destination = QpNum{0x22};
    return made;
}

Packet answer(Opcode opcode, std::uint32_t number, std::uint32_t psn) {
    Packet made = packet(opcode, number, psn);
    std::swap(made.source, made.destination);
    made.from = HostId{1};
    return made;
}

// As in packets.pcapng: the port and its running number.
constexpr std::uint64_t kFromB = 1ULL << 32U;

TEST_CASE("trace packets: a packet is in the transmitter, on the lane, in flight and in the receiver") {
    Wire wire;
    Packet send = packet(Opcode::send_only, 7, 300);
    send.payload_bytes = 100;
    send.request = {HostId{0}, 12};
    wire.make(0, send, 50_ps);
    wire.carry(*wire.there, send, 80_ps);
    const auto events = wire.close();

    struct Expected {
        std::string track;
        Picoseconds start;
        Picoseconds end;
    };
    // Built at 60 ps; the lane until 100 ps; the forward grain is there at 185 ps, the last byte at 200 ps.
    for (const Expected& expected : {Expected{"A.nic.tx", 60_ps, 100_ps}, Expected{"there", 80_ps, 100_ps},
                                     Expected{"there.flight", 100_ps, 200_ps}, Expected{"B.nic.rx", 185_ps, 205_ps}}) {
        INFO(expected.track);
        const auto slices = slices_in(events, expected.track);
        REQUIRE(slices.size() == 1);
        CHECK(slices[0].name == "SEND_ONLY");
        CHECK(slices[0].start == expected.start);
        CHECK(slices[0].end == expected.end);
        // 82 bytes of overhead, and no padding.
        CHECK(slices[0].args == nlohmann::json{{"packet", "7 of A"},
                                               {"request", "A.12"},
                                               {"qp", "0x11"},
                                               {"to_qp", "0x22"},
                                               {"psn", 300},
                                               {"bytes", 100},
                                               {"wire_bytes", 182}});
    }
    CHECK(way_of(events, 7) == Strings{"maker", "A.nic.tx", "there", "B.nic.rx"});
}

TEST_CASE("trace packets: an acknowledgement begins at the last packet that it covers") {
    Wire wire;
    for (std::uint32_t i = 0; i < 3; ++i) {
        wire.carry(*wire.there, packet(Opcode::send_only, 1 + i, 300 + i), Picoseconds{100 + 20 * i});
    }
    wire.carry(*wire.back, answer(Opcode::acknowledge, 1, 301), 500_ps);
    wire.carry(*wire.back, answer(Opcode::acknowledge, 2, 302), 600_ps);
    const auto events = wire.close();
    for (const std::uint64_t number : {1U, 2U}) {
        CHECK(way_of(events, kFromB + number) == Strings{"B.nic.rx", "B.nic.tx", "back", "A.nic.rx"});
    }
    // Packet 2 came at 100 + 20 + 105 ps, packet 3 20 ps later.
    const auto begins = [&events](std::uint64_t id) {
        return std::ranges::find_if(events, [id](const ReadEvent& event) { return event.id == id; })->start;
    };
    CHECK(begins(kFromB + 1) == 225_ps);
    CHECK(begins(kFromB + 2) == 245_ps);
}

TEST_CASE("trace packets: a NAK for a packet that has not come begins at the one that showed it") {
    Wire wire;
    wire.carry(*wire.there, packet(Opcode::send_only, 1, 305), 100_ps);
    wire.there->sent(packet(Opcode::send_only, 2, 306), {490_ps, 495_ps});
    wire.there->arrives(packet(Opcode::send_only, 2, 306), {590_ps, 600_ps});  // told of already, but not there
    Packet nak = answer(Opcode::acknowledge, 1, 300);
    nak.aeth = {Aeth::kNakSequence, 9};
    wire.carry(*wire.back, nak, 500_ps);
    const auto events = wire.close();
    CHECK(way_of(events, kFromB + 1) == Strings{"B.nic.rx", "B.nic.tx", "back", "A.nic.rx"});
    CHECK(std::ranges::find(events, kFromB + 1, &ReadEvent::id)->start == 205_ps);
    CHECK(slices_in(events, "back").at(0).args.at("says") == "nak_sequence");
    CHECK(slices_in(events, "back").at(0).args.at("msn") == 9);
}

TEST_CASE("trace packets: a Read's data begins at its request and leads through where it was made") {
    Wire wire;
    wire.carry(*wire.there, packet(Opcode::read_request, 1, 300), 100_ps);
    wire.make(1, answer(Opcode::read_response_first, 0, 300), 300_ps);
    wire.make(1, answer(Opcode::read_response_last, 0, 301), 305_ps);
    wire.carry(*wire.back, answer(Opcode::read_response_first, 1, 300), 400_ps);
    wire.carry(*wire.back, answer(Opcode::read_response_last, 2, 301), 420_ps);
    const auto events = wire.close();
    CHECK(way_of(events, kFromB + 1) == Strings{"B.nic.rx", "maker", "B.nic.tx", "back", "A.nic.rx"});
    CHECK(way_of(events, kFromB + 2) == Strings{"maker", "B.nic.tx", "back", "A.nic.rx"});
}

TEST_CASE("trace packets: one that a switch drops is lost there") {
    Wire wire;
    const Packet send = packet(Opcode::send_only, 1, 300);
    wire.carry(*wire.up, send, 100_ps);
    wire.up->lost(send);
    const auto events = wire.close();
    CHECK(slices_in(events, "s0.A.in").at(0).args.at("lost") == true);
    CHECK_FALSE(slices_in(events, "up").at(0).args.contains("lost"));
    CHECK(way_of(events, 1) == Strings{"A.nic.tx", "up", "s0.A.in"});
}

TEST_CASE("trace packets: one that is lost ends on the lane, and its copy, sent again, arrives") {
    Wire wire;
    const Packet first = packet(Opcode::send_only, 1, 300);
    wire.make(0, first, 50_ps);
    wire.there->sent(first, {100_ps, 120_ps});
    wire.there->lost(first);
    const Packet again = packet(Opcode::send_only, 2, 300);
    wire.make(0, again, 500_ps);
    wire.carry(*wire.there, again, 600_ps);
    const auto events = wire.close();
    CHECK(way_of(events, 1) == Strings{"maker", "A.nic.tx", "there"});
    CHECK(way_of(events, 2) == Strings{"maker", "A.nic.tx", "there", "B.nic.rx"});
    const auto lane = slices_in(events, "there");
    REQUIRE(lane.size() == 2);
    CHECK(lane[0].args.at("lost") == true);
    CHECK_FALSE(lane[1].args.contains("lost"));
}

TEST_CASE("trace packets: one that arrives twice is shown twice, and damage is said") {
    Wire wire;
    const Packet send = packet(Opcode::send_only, 1, 300);
    wire.carry(*wire.there, send, 100_ps);
    Packet damaged = send;
    damaged.damaged = true;
    damaged.is_copy = true;
    wire.there->arrives(damaged, {220_ps, 235_ps});
    const auto received = slices_in(wire.close(), "B.nic.rx");
    REQUIRE(received.size() == 2);
    CHECK_FALSE(received[0].args.contains("copy"));
    CHECK(received[1].args.at("copy") == true);
    CHECK(received[1].args.at("damaged") == true);
}

// The slices with "copy" in a track, and all.
using Counts = std::pair<std::ptrdiff_t, std::size_t>;

Counts copies_in(const std::vector<ReadEvent>& events, const std::string& track) {
    const auto slices = slices_in(events, track);
    return {std::ranges::count_if(slices, [](const ReadEvent& slice) { return slice.args.contains("copy"); }),
            slices.size()};
}

// A packet that arrives in the switch twice: from 205 ps on, and right behind that.
Packet sent_up_twice(Wire& wire) {
    const Packet send = packet(Opcode::send_only, 1, 300);
    Packet copy = send;
    copy.is_copy = true;
    wire.carry(*wire.up, send, 100_ps);
    wire.up->arrives(copy, {220_ps, 235_ps});
    return copy;
}

TEST_CASE("trace packets: a copy that comes to a switch is shown from there on, and has no arrow") {
    Wire wire;
    const Packet copy = sent_up_twice(wire);
    Packet send = copy;
    send.is_copy = false;
    wire.carry(*wire.down, send, 240_ps);
    wire.carry(*wire.down, copy, 260_ps);
    const auto events = wire.close();
    CHECK(copies_in(events, "A.nic.tx") == Counts{0, 1});
    CHECK(copies_in(events, "up") == Counts{0, 1});
    CHECK(copies_in(events, "up.flight") == Counts{0, 1});
    CHECK(slices_in(events, "up.flight").at(0).end == 220_ps);  // 100 + 120
    for (const std::string track : {"s0.A.in", "s0.B.queue", "down", "down.flight", "B.nic.rx"}) {
        INFO(track);
        CHECK(copies_in(events, track) == Counts{1, 2});
        CHECK(slices_in(events, track).back().args.contains("copy"));
    }
    // The original is ready at 220 + 10 ps, and on the lane from 240 to 260 ps; the copy at 245 ps, and until 280 ps.
    const auto queue = slices_in(events, "s0.B.queue");
    CHECK(queue.at(0).start == 230_ps);
    CHECK(queue.at(0).end == 260_ps);
    CHECK(queue.at(1).start == 245_ps);
    CHECK(queue.at(1).end == 280_ps);
    CHECK(way_of(events, 1) == Strings{"A.nic.tx", "up", "s0.A.in", "s0.B.queue", "down", "B.nic.rx"});
}

TEST_CASE("trace packets: where a switch drops the copy, the original goes on, and the other way round") {
    for (const bool drops_copy : {false, true}) {
        INFO(drops_copy);
        Wire wire;
        Packet left = sent_up_twice(wire);
        left.is_copy = drops_copy;
        wire.up->lost(left);
        left.is_copy = !drops_copy;
        wire.carry(*wire.down, left, 260_ps);
        const auto events = wire.close();
        CHECK(copies_in(events, "s0.A.in") == Counts{1, 2});
        CHECK(copies_in(events, "down") == Counts{drops_copy ? 0 : 1, 1});
        CHECK(copies_in(events, "B.nic.rx") == Counts{drops_copy ? 0 : 1, 1});
        CHECK(way_of(events, 1) == (drops_copy ? Strings{"A.nic.tx", "up", "s0.A.in", "s0.B.queue", "down", "B.nic.rx"}
                                               : Strings{"A.nic.tx", "up", "s0.A.in"}));
    }
}

TEST_CASE("trace packets: a copy of a copy is a copy, and each has its own lane") {
    Wire wire;
    const Packet copy = sent_up_twice(wire);
    wire.carry(*wire.down, copy, 260_ps);
    wire.down->arrives(copy, {380_ps, 395_ps});  // the copy of another bad link
    const auto events = wire.close();
    CHECK(copies_in(events, "down") == Counts{1, 1});
    CHECK(copies_in(events, "down.flight") == Counts{1, 1});
    CHECK(copies_in(events, "B.nic.rx") == Counts{2, 2});
}

TEST_CASE("trace packets: what was made and never sent does not confuse what follows") {
    Wire wire;
    wire.make(0, packet(Opcode::send_only, 0, 300), 50_ps);
    wire.make(0, packet(Opcode::send_only, 0, 301), 70_ps);
    wire.carry(*wire.there, packet(Opcode::send_only, 1, 301), 100_ps);
    wire.there->sent(packet(Opcode::send_only, 2, 302), {200_ps, 220_ps});  // on the way at the end
    const auto events = wire.close();
    CHECK(way_of(events, 1) == Strings{"maker", "A.nic.tx", "there", "B.nic.rx"});
    CHECK(std::ranges::find(events, std::uint64_t{1}, &ReadEvent::id)->start == 70_ps);
    CHECK(way_of(events, 2) == Strings{"A.nic.tx", "there"});
    CHECK(slices_in(events, "there").size() == 2);
}

}  // namespace ndsim::test::trace_packets_test

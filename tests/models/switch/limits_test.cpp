// SPDX-License-Identifier: Apache-2.0
#include "tests/models/switch/switch_bench.hpp"

namespace ndsim::test::limits_test {

using Psns = std::vector<std::uint32_t>;
using Told = std::vector<std::pair<bool, Picoseconds>>;

TEST_CASE("switch: a queue takes its last byte, and drops what has more", "[limit]") {
    SwitchBench bench(stored(1024_KiB, Bytes{2 * 4178 + 1642}));
    bench.queue(2us, 0, bench.packet(1, 1));
    bench.queue(2us, 0, bench.packet(1, 2));
    bench.queue(2us + 1_ps, 2, bench.packet(1, 3, 1646));  // payload comes in fours
    bench.queue(2us + 2_ps, 2, bench.packet(1, 4, 1642));
    bench.finish();
    CHECK(bench.far[1].psns() == Psns{1, 2, 4});
    CHECK(statistic(bench.port(1), "drops") == 1);
}

TEST_CASE("switch: room in a queue is there when a packet has left the lane, not a picosecond before", "[limit]") {
    SwitchBench bench(stored(1024_KiB, 2 * 4178_B));
    bench.queue(2us, 0, bench.packet(1, 1));
    bench.queue(2us, 0, bench.packet(1, 2));
    bench.queue(2us + 334'239_ps, 2, bench.packet(1, 3));
    bench.queue(2us + 334'240_ps, 2, bench.packet(1, 4));
    bench.finish();
    CHECK(bench.far[1].psns() == Psns{1, 2, 4});
    CHECK(bench.far[1].seen[2].at.end == 2us + 3 * 334'240_ps + 50ns);
    CHECK(statistic(bench.port(1), "drops") == 1);
}

TEST_CASE("switch: with room for one packet more in the queue it is not dropped", "[limit]") {
    SwitchBench bench(stored(1024_KiB, 3 * 4178_B));
    bench.queue(2us, 0, bench.packet(1, 1));
    bench.queue(2us, 0, bench.packet(1, 2));
    bench.queue(2us + 334'239_ps, 2, bench.packet(1, 3));
    bench.finish();
    CHECK(bench.far[1].psns() == Psns{1, 2, 3});
    CHECK(statistic(bench.port(1), "drops") == 0);
}

TEST_CASE("switch: all ports share the buffer, and a packet is dropped where it would have left", "[limit]") {
    SwitchBench bench(stored(4 * 4178_B));
    for (std::uint32_t i = 0; i < 3; ++i) {
        bench.queue(2us, 0, bench.packet(1, i));
    }
    bench.queue(2us, 0, bench.packet(2, 3));
    // The first packets of both ports leave at the same time.
    bench.queue(2us + 334'239_ps, 3, bench.packet(2, 4));
    bench.queue(2us + 334'240_ps, 3, bench.packet(2, 5));
    bench.queue(2us + 334'240_ps, 3, bench.packet(1, 6));
    bench.queue(2us + 334'240_ps, 3, bench.packet(1, 7));
    bench.finish();
    CHECK(bench.far[1].psns() == Psns{0, 1, 2, 6});
    CHECK(bench.far[2].psns() == Psns{3, 5});
    CHECK(statistic(bench.port(2), "drops") == 1);
    CHECK(statistic(bench.port(1), "drops") == 1);
    CHECK(bench.whole.pools()[0]->occupancy().high_water() == 4 * 4178);
}

TEST_CASE("switch: management datagrams need no room", "[limit]") {
    SwitchBench bench(stored(16_KiB, 4178_B));
    bench.queue(2us, 0, bench.packet(1, 1));
    Packet datagram = bench.packet(1, 2, 82 + 256);
    datagram.opcode = Opcode::ud_send_only;
    bench.queue(2us, 0, datagram);
    bench.queue(2us, 0, bench.packet(1, 3));
    bench.finish();
    CHECK(bench.far[1].psns() == Psns{1, 2});
    CHECK(statistic(bench.port(1), "drops") == 1);
}

TEST_CASE("switch: a held port finishes its packet, and goes on when the neighbour says so", "[limit]") {
    SwitchBench bench(stored());
    for (std::uint32_t i = 1; i <= 3; ++i) {
        bench.queue(2us, 0, bench.packet(1, i));
    }
    bench.at(1us, [&] { bench.port(1).pause(true, 2us + 334'239_ps); });
    bench.at(3us, [&] { bench.port(1).pause(false, 9us); });
    bench.finish();
    REQUIRE(bench.far[1].psns() == Psns{1, 2, 3});
    CHECK(bench.far[1].seen[0].at.end == 2us + 334'240_ps + 50ns);
    CHECK(bench.far[1].seen[1].at.end == 9us + 334'240_ps + 50ns);
    CHECK(bench.far[1].seen[2].at.end == 9us + 2 * 334'240_ps + 50ns);
    CHECK(Picoseconds(statistic(bench.port(1), "paused")) == 9us - (2us + 334'239_ps));
}

SwitchParams with_pause(Bytes buffer) {
    SwitchParams params = stored(buffer);
    params.pause = true;
    return params;
}

// What may still come after a pause frame: what a round trip of 2 x 50 ns flight, 300 ns through the switch and
// 84 + 4194 bytes at 80 ps holds, 742.24 ns or 9278 bytes, and two packets of 4194 bytes that have begun: 17,666 bytes.
constexpr std::uint64_t kHeadroom = 17'666;
constexpr Picoseconds kFrame = 84 * 80_ps + 50ns;  // a pause frame on the lane, and its flight

// Port 1 is held, so that nothing leaves.
void fill(SwitchBench& bench, std::uint32_t packets) {
    bench.at(0ns, [&bench] { bench.port(1).pause(true, 100ns); });
    for (std::uint32_t i = 1; i <= packets; ++i) {
        bench.queue(i * 1us, 0, bench.packet(1, i));
    }
    bench.at(100us, [&bench] { bench.port(1).pause(false, 100us); });
}

TEST_CASE("switch: a pause frame goes when of a port's part one byte less is free than may still come",
          "[formula][limit]") {
    // A quarter of the buffer is for each of the four ports: twelve packets of 4178 bytes leave one byte less.
    SwitchBench bench(with_pause(Bytes{4 * (12 * 4178 + kHeadroom - 1)}));
    fill(bench, 12);
    bench.finish();
    REQUIRE(bench.neighbours[0].told.size() == 2);
    CHECK(bench.neighbours[0].told[0] == std::pair{true, 12us + kFrame});
    // Half of the part, 33,900 of 67,801 bytes, is free when four packets have left: 67,801 - 8 x 4178 = 34,377.
    CHECK(bench.neighbours[0].told[1] == std::pair{false, 100us + 4 * 334'240_ps + kFrame});
    CHECK(bench.neighbours[2].told.empty());
    CHECK(bench.neighbours[1].told.empty());
    CHECK(statistic(bench.port(0), "pauses") == 1);
    CHECK(statistic(bench.port(1), "drops") == 0);
}

TEST_CASE("switch: no pause frame goes while as much of a port's part is free as may still come", "[limit]") {
    SwitchBench bench(with_pause(Bytes{4 * (12 * 4178 + kHeadroom)}));
    fill(bench, 12);
    bench.finish();
    CHECK(bench.neighbours[0].told.empty());
}

TEST_CASE("switch: without pause frames nobody is held, whatever is full") {
    SwitchBench bench(stored(4 * 4178_B));
    fill(bench, 12);
    bench.finish();
    CHECK(bench.far[1].psns() == Psns{1, 2, 3, 4});
    CHECK(statistic(bench.port(1), "drops") == 8);
    CHECK(bench.neighbours[0].told.empty());
    CHECK(statistic(bench.port(0), "pauses") == 0);
}

}  // namespace ndsim::test::limits_test

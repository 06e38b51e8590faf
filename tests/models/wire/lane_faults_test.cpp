// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wire/fault_bench.hpp"

namespace ndsim::test::lane_faults_test {

TEST_CASE("lane faults: without a rule packets pass untouched") {
    FaultBench bench({});
    bench.pass_at_its_time(1, 3);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 2, 3});
    CHECK(bench.arrival(2).start == 2500ns);
    CHECK(bench.arrival(2).end == 2520ns);
    bench.check_payloads();
}

TEST_CASE("lane faults: the n-th packet is lost, and as many behind it as asked") {
    FaultBench bench({rule(LinkFault::drop, 3, 2)});
    bench.pass_at_its_time(1, 6);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 2, 5, 6});
    CHECK(statistic(bench.faults, "drop") == 2);
    bench.check_payloads();
}

TEST_CASE("lane faults: who taps the lane hears of what is lost") {
    struct Tap final : LaneTap {
        void sent(const Packet&, Interval) override { FAIL("the cable tells that"); }
        void arrives(const Packet&, Interval) override { FAIL("the receiver tells that"); }
        void lost(const Packet& packet) override { seen.push_back(packet.psn.value()); }
        Psns seen;
    } tap;
    FaultBench bench({rule(LinkFault::drop, 2, 2), rule(LinkFault::corrupt, 4)});
    bench.faults.taps.bind(tap);
    bench.pass_at_its_time(1, 5);
    bench.run();
    CHECK(tap.seen == Psns{2, 3});
    bench.check_payloads();
}

TEST_CASE("lane faults: a damaged packet arrives at its time, and is marked") {
    FaultBench bench({rule(LinkFault::corrupt, 2)});
    bench.pass_at_its_time(1, 3);
    bench.run();
    REQUIRE(bench.arrived() == Psns{1, 2, 3});
    CHECK_FALSE(bench.far.seen[0].packet.damaged);
    CHECK(bench.far.seen[1].packet.damaged);
    CHECK(bench.far.seen[1].at.start == 2500ns);
    CHECK_FALSE(bench.far.seen[2].packet.damaged);
    CHECK(statistic(bench.faults, "corrupt") == 1);
    bench.check_payloads();
}

TEST_CASE("lane faults: a packet arrives twice, the second time right behind the first") {
    FaultBench bench({rule(LinkFault::duplicate, 2)});
    bench.pass_at_its_time(1, 3);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 2, 2, 3});
    CHECK(bench.far.seen[1].at.end == 2520ns);
    CHECK(bench.far.seen[2].at.start == 2520ns);
    CHECK(bench.far.seen[2].at.end == 2540ns);
    CHECK(bench.far.seen[1].packet.payload == bench.far.seen[2].packet.payload);  // with two holders
    CHECK(statistic(bench.faults, "duplicate") == 1);
    bench.check_payloads();
}

// Packets 2 and 3 left right behind packet 1, and would arrive at 1520 and 1540 ns. The copy of packet 1 is on the lane
// until 1540 ns, so packet 2 begins then and packet 3 at 1560 ns. The gap behind them makes up for the copy.
TEST_CASE("lane faults: packets behind a copy, or behind one that was overtaken, arrive one at a time") {
    FaultBench bench({rule(LinkFault::duplicate, 1), rule(LinkFault::reorder, 5)});
    for (const Picoseconds late : {0ns, 20ns, 40ns}) {
        bench.at(1us + late, [&bench, late] { bench.pass(1 + static_cast<std::uint32_t>(late / 20ns)); });
    }
    bench.pass_at_its_time(4, 5);
    bench.at(5us + 20ns, [&bench] { bench.pass(6); });
    bench.at(5us + 40ns, [&bench] { bench.pass(7); });
    bench.run();
    CHECK(bench.arrived() == Psns{1, 1, 2, 3, 4, 6, 5, 7});
    CHECK(bench.arrival(2).start == 1540ns);
    CHECK(bench.arrival(3).start == 1560ns);
    CHECK(bench.arrival(4).start == 4500ns);
    // Packet 6 overtakes packet 5, which ends at 5560 ns, when packet 7 begins. It would have begun at 5540 ns.
    CHECK(bench.arrival(6).start == 5520ns);
    CHECK(bench.arrival(5).start == 5540ns);
    CHECK(bench.arrival(7).start == 5560ns);
    bench.check_payloads();
}

// 4096 + 82 bytes at 36 Gb/s: 928.4 ns, 928,445 ps. The receiver may begin with a packet of one grain when all of it is
// there, so each arrives in no time; the second one nevertheless takes its time on the lane, and so does packet 2.
TEST_CASE("lane faults: a copy takes as long on the lane as its original, whatever the receiver waits for") {
    FaultBench bench({rule(LinkFault::duplicate, 1)});
    const Picoseconds on_lane{928'445};
    bench.at(1us, [&] {
        bench.faults.arrive(request(4096, 1), {1500ns, 1500ns});
        bench.faults.arrive(request(4096, 2), {1500ns + on_lane, 1500ns + on_lane});
        bench.faults.arrive(request(4096, 3), {9us, 9us});
    });
    bench.run();
    REQUIRE(bench.arrived() == Psns{1, 1, 2, 3});
    CHECK(bench.far.seen[1].at.start == 1500ns + on_lane);
    CHECK(bench.far.seen[1].at.end == 1500ns + on_lane);
    CHECK(bench.arrival(2).end == 1500ns + 2 * on_lane);
    CHECK(bench.arrival(3).end == 9us);
}

TEST_CASE("lane faults: the second of two is a copy, and says so") {
    FaultBench bench({rule(LinkFault::duplicate, 2)});
    bench.pass_at_its_time(1, 3);
    bench.run();
    REQUIRE(bench.arrived() == Psns{1, 2, 2, 3});
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(bench.far.seen[i].packet.is_copy == (i == 2));
    }
    bench.check_payloads();
}

TEST_CASE("lane faults: a packet without payload arrives twice") {
    FaultBench bench({rule(LinkFault::duplicate, 1)});
    bench.at(1us, [&] { bench.pass(1, Opcode::acknowledge, 0); });
    bench.run();
    CHECK(bench.arrived() == Psns{1, 1});
    bench.check_payloads();
}

TEST_CASE("lane faults: a packet arrives later by as much as asked, others pass it") {
    FaultRule late = rule(LinkFault::delay, 1);
    late.by = 1700ns;
    FaultBench bench({late});
    bench.pass_at_its_time(1, 4);
    bench.run();
    CHECK(bench.arrived() == Psns{2, 1, 3, 4});  // 1.5 us + 1.7 us is between 2.5 and 3.5 us
    CHECK(bench.arrival(1).start == 3200ns);
    CHECK(bench.arrival(1).end == 3220ns);
    CHECK(statistic(bench.faults, "delay") == 1);
    bench.check_payloads();
}

TEST_CASE("lane faults: a reordered packet arrives behind the one that follows it") {
    FaultBench bench({rule(LinkFault::reorder, 2)});
    bench.pass_at_its_time(1, 4);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 3, 2, 4});
    CHECK(bench.arrival(3).start == 3500ns);  // not disturbed
    CHECK(bench.arrival(2).start == 3520ns);
    CHECK(bench.arrival(2).end == 3540ns);
    CHECK(statistic(bench.faults, "reorder") == 1);
    bench.check_payloads();
}

TEST_CASE("lane faults: a reordered packet that nothing follows arrives late by so much") {
    FaultRule last = rule(LinkFault::reorder, 1);
    last.by = 3us;
    FaultBench bench({last});
    bench.pass_at_its_time(1, 1);
    bench.run();
    CHECK(bench.arrived() == Psns{1});
    CHECK(bench.arrival(1).start == 1500ns + 3us);
    CHECK(bench.arrival(1).end == 1520ns + 3us);
    bench.check_payloads();
}

// It arrives at 3500 to 3520 ns. The next packet left 10 ns after its time was over, and would arrive at 3510 ns.
TEST_CASE("lane faults: a packet right behind a reordered one that waited in vain arrives after it") {
    FaultRule last = rule(LinkFault::reorder, 1);
    last.by = 2us;
    FaultBench bench({last});
    bench.at(1us, [&] { bench.pass(1); });
    bench.at(3010ns, [&] { bench.pass(2); });
    bench.run();
    CHECK(bench.arrival(1).start == 3500ns);
    CHECK(bench.arrival(2).start == 3520ns);
    bench.check_payloads();
}

TEST_CASE("lane faults: of two reordered packets each arrives late by so much, in their order") {
    FaultRule last = rule(LinkFault::reorder, 1, 2);
    last.by = 3us;
    FaultBench bench({last});
    bench.pass_at_its_time(1, 2);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 2});
    CHECK(bench.arrival(1).start == 4500ns);
    CHECK(bench.arrival(2).start == 5500ns);
    bench.check_payloads();
}

TEST_CASE("lane faults: two reordered packets arrive one after the other behind the next") {
    FaultBench bench({rule(LinkFault::reorder, 1, 2)});
    bench.pass_at_its_time(1, 3);
    bench.run();
    CHECK(bench.arrived() == Psns{3, 1, 2});
    CHECK(bench.arrival(1).start == 3520ns);
    CHECK(bench.arrival(2).start == 3540ns);
    bench.check_payloads();
}

void overtakes(LinkFault fault) {
    FaultBench bench({rule(LinkFault::reorder, 1), rule(fault, 2)});
    bench.pass_at_its_time(1, 2);
    bench.run();
    CHECK(bench.arrived().back() == 1);
    // Behind the last of them: packet 2 is there from 2.5 us on, for 20 ns each time.
    CHECK(bench.arrival(1).start == (fault == LinkFault::duplicate ? 2540ns : 2520ns));
    bench.check_payloads();
}

TEST_CASE("lane faults: a damaged packet overtakes, too") {
    overtakes(LinkFault::corrupt);
}

TEST_CASE("lane faults: a repeated packet overtakes, too") {
    overtakes(LinkFault::duplicate);
}

TEST_CASE("lane faults: only packets with the opcode count") {
    FaultRule acks = rule(LinkFault::drop, 2);
    acks.opcode = Opcode::acknowledge;
    FaultBench bench({acks});
    bench.pass_at_its_time(1, 3);
    bench.pass_at_its_time(4, 6, Opcode::acknowledge);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 2, 3, 4, 6});
    bench.check_payloads();
}

TEST_CASE("lane faults: only packets that leave in time count") {
    FaultRule some = rule(LinkFault::drop, 1, 100);
    some.from = 3us;
    some.until = 5us;
    FaultBench bench({some});
    bench.pass_at_its_time(1, 7);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 2, 5, 6, 7});  // those that leave at 3 and 4 us are lost
    bench.check_payloads();
}

TEST_CASE("lane faults: management datagrams are spared, and do not count") {
    FaultBench bench({rule(LinkFault::drop, 1, 1)});
    bench.pass_at_its_time(1, 1, Opcode::ud_send_only);
    bench.pass_at_its_time(2, 3);
    bench.run();
    CHECK(bench.arrived() == Psns{1, 3});
    bench.check_payloads();
}

TEST_CASE("lane faults: the first rule that strikes decides, but each counts for itself") {
    FaultBench bench({rule(LinkFault::drop, 2), rule(LinkFault::corrupt, 2, 2)});
    bench.pass_at_its_time(1, 4);
    bench.run();
    REQUIRE(bench.arrived() == Psns{1, 3, 4});
    CHECK(bench.far.seen[1].packet.damaged);
    CHECK(statistic(bench.faults, "corrupt") == 1);
    bench.check_payloads();
}

TEST_CASE("lane faults: a rate of 100 % strikes all, one of 20 % about a fifth") {
    FaultRule all = rule(LinkFault::corrupt);
    all.rate = 100_percent;
    FaultBench every({all});
    FaultRule fifth = rule(LinkFault::corrupt);
    fifth.rate = 20_percent;
    LaneFaults some("some", every.timeline, FaultBench::kRate, {fifth}, 7, every.payloads);
    FarEnd far;
    some.out.bind(far);
    constexpr std::uint32_t kPackets = 10'000;
    every.at(1us, [&] {
        for (std::uint32_t i = 0; i < kPackets; ++i) {
            every.faults.arrive(request(0, i), {1us, 1us});
            some.arrive(request(0, i), {1us, 1us});
        }
    });
    every.run();
    CHECK(statistic(every.faults, "corrupt") == kPackets);
    // 2000 expected, standard deviation sqrt(10000 x 0.2 x 0.8) = 40; five of them to either side.
    CHECK(statistic(some, "corrupt") > 1800);
    CHECK(statistic(some, "corrupt") < 2200);
    CHECK(far.seen.size() == kPackets);
}

}  // namespace ndsim::test::lane_faults_test

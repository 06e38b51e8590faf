// SPDX-License-Identifier: Apache-2.0
#include "tests/models/doorbell/doorbell_bench.hpp"

namespace ndsim::test::recovery_test {

using Seen = std::vector<Queues::Seen>;

// Decoded every 10 ns, at the queue 70 ns after the decoding began; records are read 5 us after a drop, which takes 400
// ns, and are at their queues 70 ns later: 5.47 us after the drop.
DoorbellParams dropping(std::uint32_t fifo) {
    return {fifo, 10ns, 70ns, DoorbellPolicy::drop_recover, 5us};
}

TEST_CASE("doorbell drop: what was dropped is found again in its record, and the store does not wait") {
    DoorbellBench bench(dropping(1));
    bench.at(0ns, [&] {
        CHECK(bench.ring(1, 0x11) == 0ns);
        CHECK(bench.ring(3, 0x12, MmioKind::sq_doorbell, 2) == 0ns);
        CHECK(bench.payloads.in_use() == 0);  // the pushed WQE is gone with its doorbell
    });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x12, 3, 5470ns}});
    CHECK(bench.queues.entries == 30);
    REQUIRE(bench.dma.reads.size() == 1);
    CHECK(bench.dma.reads[0].at == 5us);
    CHECK(bench.dma.reads[0].pieces[0].length == 16);
    CHECK(statistic(bench.doorbell, "doorbells") == 1);
    CHECK(statistic(bench.doorbell, "fifo_full") == 1);
    CHECK(statistic(bench.doorbell, "dropped") == 1);
    CHECK(statistic(bench.doorbell, "recoveries") == 1);
    CHECK(bench.payloads.in_use() == 0);
    check_at_rest(bench.doorbell);
}

// At 9.999 ns the first one is still in the FIFO, at 10 ns it has left.
TEST_CASE("doorbell drop: up to the picosecond at which the FIFO has room") {
    DoorbellBench bench(dropping(1));
    bench.at(0ns, [&] { (void)bench.ring(1, 0x11); });
    bench.at(9'999_ps, [&] { (void)bench.ring(1, 0x12); });
    bench.at(10ns, [&] { (void)bench.ring(1, 0x13); });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x13, 1, 80ns}, {"sq", 0x12, 1, 5'479'999_ps}});
}

// One rescan, 5 us after the first drop, for all doorbells that have been dropped by then, in the order of their first
// drops. Each queue is read once, and the record says what was rung for last.
TEST_CASE("doorbell drop: a rescan reads each queue that lost a doorbell, and no other") {
    DoorbellBench bench(dropping(1));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12);
        (void)bench.ring(2, 0x12);
    });
    bench.at(3us, [&] {
        (void)bench.ring(1, 0x20);  // decoded
        (void)bench.ring(7, 0x13, MmioKind::rq_doorbell);
        (void)bench.ring(3, 0x12);
    });
    bench.run();
    CHECK(bench.queues.seen ==
          Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x20, 1, 3070ns}, {"sq", 0x12, 3, 5470ns}, {"rq", 0x13, 7, 5470ns}});
    CHECK(bench.dma.reads.size() == 2);
    CHECK(statistic(bench.doorbell, "dropped") == 4);
    CHECK(statistic(bench.doorbell, "recoveries") == 1);
}

// The record is being read from 5 us on; what is dropped at 5.1 us is found by a rescan of its own.
TEST_CASE("doorbell drop: a drop while its record is being read leads to another rescan") {
    DoorbellBench bench(dropping(1));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12);
    });
    bench.at(5100ns, [&] {
        (void)bench.ring(2, 0x11);
        (void)bench.ring(2, 0x12);
    });
    bench.run();
    CHECK(bench.queues.seen ==
          Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x11, 2, 5170ns}, {"sq", 0x12, 1, 5470ns}, {"sq", 0x12, 2, 10570ns}});
    CHECK(statistic(bench.doorbell, "recoveries") == 2);
}

// The link tells of stores ahead of their arrival. What arrives at 5.1 us is not dropped by 5 us.
TEST_CASE("doorbell drop: a store that has not yet arrived belongs to the next rescan") {
    DoorbellBench bench(dropping(1));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12);
    });
    bench.at(4950ns, [&] {
        for (const std::uint32_t queue : {0x11U, 0x13U}) {
            Mmio mmio;
            mmio.queue = queue;
            mmio.index = 2;
            write_doorbell_record(bench.record(queue), mmio);
            CHECK(bench.doorbell.bar->arrive(5100ns, mmio) == 5100ns);
        }
    });
    bench.run();
    CHECK(bench.queues.seen ==
          Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x11, 2, 5170ns}, {"sq", 0x12, 1, 5470ns}, {"sq", 0x13, 2, 10570ns}});
}

// An arm: wish 2 (solicited), 4 entries seen, 5 notifications; the index is the one that polls keep in the record.
TEST_CASE("doorbell drop: each kind of doorbell is found again") {
    DoorbellBench bench(dropping(1));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(2, 5, MmioKind::srq_doorbell);
        store_le(bench.record(6), std::uint32_t{9});
        (void)bench.ring(8, 6, MmioKind::cq_consumer);
        store_le(bench.record(7), std::uint32_t{3});
        Mmio arm;
        arm.kind = MmioKind::cq_arm;
        arm.queue = 7;
        arm.index = 3;
        arm.arm = Arm::solicited;
        arm.seen = 4;
        arm.serial = 5;
        (void)bench.store(arm);
    });
    bench.run();
    CHECK(bench.queues.seen ==
          Seen{{"sq", 0x11, 1, 70ns}, {"srq", 5, 2, 5470ns}, {"consumer", 6, 9, 5470ns}, {"arm", 7, 520'403, 5470ns}});
}

// Both are dropped and found at once: as if both had been decoded, the stronger one holds, and what the later one calls
// seen is seen. After a notification only the later one holds.
TEST_CASE("doorbell drop: of two arms the stronger wish is found, until software has been notified") {
    DoorbellBench bench(dropping(1));
    const auto arm = [&](Arm wish, std::uint32_t seen, std::uint32_t serial) {
        Mmio mmio;
        mmio.kind = MmioKind::cq_arm;
        mmio.queue = 7;
        mmio.arm = wish;
        mmio.seen = seen;
        mmio.serial = serial;
        (void)bench.store(mmio);
    };
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        arm(Arm::any, 2, 0);
        arm(Arm::errors, 4, 0);
    });
    bench.at(6us, [&] {
        (void)bench.ring(2, 0x11);
        arm(Arm::errors, 6, 1);
    });
    bench.run();
    CHECK(
        bench.queues.seen ==
        Seen{{"sq", 0x11, 1, 70ns}, {"arm", 7, 30'400, 5470ns}, {"sq", 0x11, 2, 6070ns}, {"arm", 7, 110'600, 11470ns}});
}

TEST_CASE("doorbell drop: reads that the DMA engine refuses are tried again when it has room") {
    DoorbellBench bench(dropping(1));
    bench.dma.refuses = true;
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12);
        (void)bench.ring(1, 0x13);
    });
    bench.at(6us, [&] {
        CHECK(bench.dma.refused == 1);
        bench.dma.space();
    });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x12, 1, 6470ns}, {"sq", 0x13, 1, 6470ns}});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("doorbell drop: a queue that is gone is not read, nor told what was read of it") {
    DoorbellBench bench(dropping(1));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12);
        (void)bench.ring(1, 0x13);
        bench.queues.gone = 0x12;
    });
    bench.at(5200ns, [&] { bench.queues.gone = 0x13; });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}});
    CHECK(bench.dma.reads.size() == 1);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("doorbell drop: a queue pair is not quiet until its doorbells are found again") {
    DoorbellBench bench(dropping(1));
    const auto quiet = [&](std::uint32_t qp) { return bench.doorbell.lifecycle->is_quiet(QpNum{qp}); };
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12, MmioKind::rq_doorbell);
    });
    for (const Picoseconds when : std::initializer_list<Picoseconds>{1ns, 5'001ns, 5'469'999_ps}) {
        bench.at(when, [&] {
            CHECK(quiet(0x11));
            CHECK_FALSE(quiet(0x12));
        });
    }
    bench.at(5471ns, [&] { CHECK(quiet(0x12)); });
    bench.run();
}

}  // namespace ndsim::test::recovery_test

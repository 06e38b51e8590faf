// SPDX-License-Identifier: Apache-2.0
#include "tests/models/doorbell/doorbell_bench.hpp"

namespace ndsim::test::doorbell_test {

TEST_CASE("doorbell: reaches its queue after 70 ns, as stage 4 of the latency budget says", "[formula]") {
    DoorbellBench bench(DoorbellParams{});
    bench.at(1us, [&] { CHECK(bench.ring(3) == 1us); });
    bench.run();
    REQUIRE(bench.queues.seen.size() == 1);
    CHECK(bench.queues.seen[0].at == 1us + 70ns);
    CHECK(bench.queues.seen[0].queue == 0x11);
    CHECK(bench.queues.seen[0].index == 3);
    check_at_rest(bench.doorbell);
}

TEST_CASE("doorbell: those that arrive together are decoded one after the other", "[formula]") {
    DoorbellBench bench(DoorbellParams{});
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 3; ++i) {
            CHECK(bench.ring(i) == 0ns);
        }
    });
    bench.run();
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(bench.queues.seen.at(i).at == 70ns + i * 2'500_ps);
        CHECK(bench.queues.seen[i].index == i);
    }
    CHECK(statistic(bench.doorbell, "decoding") == 7500);  // 3 x 2.5 ns
    CHECK(statistic(bench.doorbell, "busy") == 7500);
    CHECK(Picoseconds(statistic(bench.doorbell, "idle")) == bench.now() - 7500_ps);
    check_at_rest(bench.doorbell);
}

TEST_CASE("doorbell: a full FIFO takes the next store when the first has been decoded", "[formula][limit]") {
    DoorbellBench bench(DoorbellParams{2, 10ns, 70ns});
    bench.at(0ns, [&] {
        CHECK(bench.ring(0) == 0ns);
        CHECK(bench.ring(1) == 0ns);
        CHECK(bench.ring(2) == 10ns);
        CHECK(bench.ring(3) == 20ns);
    });
    bench.at(29'999_ps, [&] { CHECK(bench.ring(4) == 30ns); });
    bench.at(50ns, [&] { CHECK(bench.ring(5) == 50ns); });
    bench.run();
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(bench.queues.seen.at(i).at == 70ns + i * 10ns);
    }
    CHECK(statistic(bench.doorbell, "doorbells") == 6);
    CHECK(statistic(bench.doorbell, "fifo_full") == 3);
    check_at_rest(bench.doorbell);
}

TEST_CASE("doorbell: goes to the queue that it is for") {
    DoorbellBench bench(DoorbellParams{});
    bench.at(0ns, [&] {
        Mmio mmio;
        mmio.queue = 5;
        mmio.index = 3;
        mmio.pushed_units = 2;
        mmio.kind = MmioKind::sq_doorbell;
        (void)bench.doorbell.bar->arrive(0ns, mmio);
        mmio.kind = MmioKind::rq_doorbell;
        (void)bench.doorbell.bar->arrive(0ns, mmio);
        mmio.kind = MmioKind::srq_doorbell;
        (void)bench.doorbell.bar->arrive(0ns, mmio);
        mmio.kind = MmioKind::cq_consumer;
        (void)bench.doorbell.bar->arrive(0ns, mmio);
        mmio.kind = MmioKind::cq_arm;
        mmio.arm = Arm::solicited;
        mmio.seen = 4;
        mmio.serial = 5;
        (void)bench.doorbell.bar->arrive(0ns, mmio);
    });
    bench.run();
    REQUIRE(bench.queues.seen.size() == 5);
    CHECK(bench.queues.seen[0].what == "sq");
    CHECK(bench.queues.seen[0].index == 2003);
    CHECK(bench.queues.seen[1].what == "rq");
    CHECK(bench.queues.seen[2].what == "srq");
    CHECK(bench.queues.seen[2].queue == 5);
    CHECK(bench.queues.seen[2].index == 3);
    CHECK(bench.queues.seen[3].what == "consumer");
    CHECK(bench.queues.seen[4].what == "arm");
    CHECK(bench.queues.seen[4].index == 520'403);
}

}  // namespace ndsim::test::doorbell_test

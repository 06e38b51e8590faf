// SPDX-License-Identifier: Apache-2.0
#include "tests/models/doorbell/doorbell_bench.hpp"

namespace ndsim::test::coalesce_test {

using Seen = std::vector<Queues::Seen>;

// Decoded every 10 ns, at the queue 70 ns after the decoding began.
DoorbellParams coalescing(std::uint32_t fifo) {
    return {fifo, 10ns, 70ns, DoorbellPolicy::coalesce};
}

// The FIFO of three is full; the decoder begins with them at 0, 10 and 20 ns. What comes for the second one changes it,
// and the third one stays the third.
TEST_CASE("doorbell coalesce: one that waits for the same queue takes the index and keeps its place") {
    DoorbellBench bench(coalescing(3));
    bench.at(0ns, [&] {
        CHECK(bench.ring(1, 0x11) == 0ns);
        CHECK(bench.ring(1, 0x12) == 0ns);
        CHECK(bench.ring(1, 0x13) == 0ns);
    });
    bench.at(5ns, [&] {
        CHECK(bench.ring(2, 0x12) == 5ns);  // its credits are back as if the FIFO had had room
        CHECK(bench.ring(3, 0x12) == 5ns);
    });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x12, 3, 80ns}, {"sq", 0x13, 1, 90ns}});
    CHECK(statistic(bench.doorbell, "doorbells") == 3);
    CHECK(statistic(bench.doorbell, "fifo_full") == 2);
    CHECK(statistic(bench.doorbell, "coalesced") == 2);
    check_at_rest(bench.doorbell);
}

// The first one is being decoded from 0 ns on. So the third store waits until that has left at 10 ns, and is decoded
// from 20 ns on, behind the second one.
TEST_CASE("doorbell coalesce: one whose decoding has begun changes no more, and the store waits") {
    DoorbellBench bench(coalescing(2));
    bench.at(0ns, [&] {
        CHECK(bench.ring(1, 0x11) == 0ns);
        CHECK(bench.ring(1, 0x12) == 0ns);
        CHECK(bench.ring(2, 0x11) == 10ns);
    });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x12, 1, 80ns}, {"sq", 0x11, 2, 90ns}});
    CHECK(statistic(bench.doorbell, "coalesced") == 0);
    check_at_rest(bench.doorbell);
}

// Until 10 ns the FIFO is full and the second one waits; at 10 ns there is room, and its decoding begins.
TEST_CASE("doorbell coalesce: up to the picosecond at which the FIFO has room") {
    DoorbellBench bench(coalescing(2));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12);
    });
    bench.at(9'999_ps, [&] { CHECK(bench.ring(2, 0x12) == 9'999_ps); });
    bench.at(10ns, [&] { CHECK(bench.ring(3, 0x12) == 10ns); });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x12, 2, 80ns}, {"sq", 0x12, 3, 90ns}});
    CHECK(statistic(bench.doorbell, "coalesced") == 1);
}

// The third store has to wait until 10 ns, and the fourth one with it. That finds at 10 ns that the third one, which is
// to be decoded from 20 ns on, waits for its queue.
TEST_CASE("doorbell coalesce: a store that waits holds up the next one, even if that can be merged") {
    DoorbellBench bench(coalescing(2));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12);
        CHECK(bench.ring(1, 0x13) == 10ns);
        CHECK(bench.ring(2, 0x13) == 10ns);
    });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns}, {"sq", 0x12, 1, 80ns}, {"sq", 0x13, 2, 90ns}});
}

TEST_CASE("doorbell coalesce: WQEs that were pushed along with merged doorbells are dropped") {
    DoorbellBench bench(coalescing(2));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(1, 0x12, MmioKind::sq_doorbell, 1);
        (void)bench.ring(2, 0x12, MmioKind::sq_doorbell, 1);
        CHECK(bench.payloads.in_use() == 0);
    });
    bench.run();
    CHECK(bench.queues.seen.at(1) == Queues::Seen{"sq", 0x12, 2, 80ns});  // 1002 with one unit pushed along
    CHECK(bench.queues.entries == 20);
}

// Stores of two cores may come in the other order: the earlier doorbell says more, and is left as it is.
TEST_CASE("doorbell coalesce: an index does not go back") {
    DoorbellBench bench(coalescing(2));
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        (void)bench.ring(0xFFFF'FFFF, 0x12);
        (void)bench.ring(3, 0x12);  // further than 2^32 - 1, modulo 2^32
        (void)bench.ring(2, 0x12);
    });
    bench.run();
    REQUIRE(bench.queues.seen.size() == 2);
    CHECK(bench.queues.seen[1].index == 3);
    CHECK(statistic(bench.doorbell, "coalesced") == 2);
}

// Queue 5 of each kind waits in a FIFO of six behind another doorbell, which is being decoded; of the five stores that
// find it full, four are merged. The arm waits until 10 ns.
TEST_CASE("doorbell coalesce: indices of each kind of queue are merged, arms are not") {
    DoorbellBench bench(coalescing(6));
    constexpr std::array kKinds{MmioKind::sq_doorbell, MmioKind::rq_doorbell, MmioKind::srq_doorbell,
                                MmioKind::cq_consumer, MmioKind::cq_arm};
    bench.at(0ns, [&] {
        (void)bench.ring(1, 0x11);
        for (const MmioKind kind : kKinds) {
            CHECK(bench.ring(1, 5, kind) == 0ns);
        }
        for (const MmioKind kind : kKinds) {
            CHECK(bench.ring(2, 5, kind) == (kind == MmioKind::cq_arm ? 10ns : 0ns));
        }
    });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"sq", 0x11, 1, 70ns},
                                    {"sq", 5, 2, 80ns},
                                    {"rq", 5, 2, 90ns},
                                    {"srq", 5, 2, 100ns},
                                    {"consumer", 5, 2, 110ns},
                                    {"arm", 5, 1, 120ns},
                                    {"arm", 5, 2, 130ns}});
    CHECK(statistic(bench.doorbell, "coalesced") == 4);
}

TEST_CASE("doorbell coalesce: nothing is merged while there is room") {
    DoorbellBench bench(coalescing(4));
    bench.at(0ns, [&] {
        for (std::uint32_t i = 1; i <= 4; ++i) {
            (void)bench.ring(i);
        }
    });
    bench.run();
    CHECK(bench.queues.seen.size() == 4);
    CHECK(statistic(bench.doorbell, "fifo_full") == 0);
}

}  // namespace ndsim::test::coalesce_test

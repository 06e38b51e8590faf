// SPDX-License-Identifier: Apache-2.0
#include "tests/models/doorbell/doorbell_bench.hpp"

// Records that somebody asks for.
namespace ndsim::test::records_test {

using Seen = std::vector<Queues::Seen>;

// 400 ns of DMA, and 70 ns to the queue.
TEST_CASE("doorbell record: it is read at once, and the queue is told what it says, news or not") {
    DoorbellBench bench({.doorbell_to_sched = 70ns});
    const auto ask = [&] { bench.doorbell.records->read_receive_record(QpNum{0x12}); };
    bench.at(0ns, ask);
    bench.at(1us, [&] {
        Mmio mmio;
        mmio.kind = MmioKind::rq_doorbell;
        mmio.queue = 0x12;
        mmio.index = 5;
        write_doorbell_record(bench.record(0x12), mmio);
        ask();
        CHECK_FALSE(bench.doorbell.is_quiet(QpNum{0x12}));
        CHECK(bench.doorbell.is_quiet(QpNum{0x11}));
    });
    bench.at(2us, [&] { CHECK(bench.doorbell.is_quiet(QpNum{0x12})); });
    bench.run();
    CHECK(bench.queues.seen == Seen{{"rq", 0x12, 0, 470ns}, {"rq", 0x12, 5, 1470ns}});
    CHECK(statistic(bench.doorbell, "doorbells") == 0);
    CHECK(statistic(bench.doorbell, "recoveries") == 0);
    CHECK(bench.payloads.in_use() == 0);
    check_at_rest(bench.doorbell);
}

TEST_CASE("doorbell record: of a queue pair that is gone nothing is read") {
    DoorbellBench bench({.doorbell_to_sched = 70ns});
    bench.queues.gone = 0x12;
    bench.at(0ns, [&] {
        bench.doorbell.records->read_receive_record(QpNum{0x12});
        CHECK(bench.doorbell.is_quiet(QpNum{0x12}));
    });
    bench.run();
    CHECK(bench.queues.seen.empty());
    CHECK(bench.dma.reads.empty());
}

}  // namespace ndsim::test::records_test

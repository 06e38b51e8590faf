// SPDX-License-Identifier: Apache-2.0

#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::overrun_test {

constexpr CqNum kCq = CqBench::kCq;

// Whether the fifth is one too many tells the driver's index, which a read brings in 400 ns.
TEST_CASE("cq: a queue of depth n takes n entries, the next one kills it", "[X58][limit]") {
    CqBench bench(3);
    bench.at(0ns, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.complete();
        }
        bench.engine.consumer_index(kCq, 1);
        bench.poll(1);
        bench.complete();  // one has been polled
        CHECK(bench.dma.reads.empty());
        bench.complete();
        CHECK(bench.dma.reads.size() == 1);
    });
    bench.at(399ns, [&] { CHECK(bench.faults.failed.empty()); });
    bench.at(401ns, [&] {
        CHECK(bench.faults.failed == std::vector<CqNum>{kCq});
        bench.engine.consumer_index(kCq, 4);
        bench.complete();  // too late: it stays dead, and says so once
    });
    bench.run();
    CHECK(bench.faults.failed.size() == 1);
    CHECK(bench.cqes() == 4);
    CHECK(statistic(bench.engine, "overruns") == 1);
}

// The NIC was told of no poll.
TEST_CASE("cq: what it was not told of is no overrun", "[K163][K165]") {
    CqBench bench(3);
    bench.at(0ns, [&] {
        bench.complete(WcStatus::success, false, false, 1);
        bench.complete(WcStatus::success, false, false, 2);
        bench.complete(WcStatus::success, false, false, 3);
        bench.poll(2);
        bench.complete(WcStatus::success, false, false, 4);
        bench.complete(WcStatus::success, false, true, 5);
        CHECK(bench.cqes() == 3);
        CHECK(bench.engine.holds_back());
    });
    bench.at(401ns, [&] {
        REQUIRE(bench.cqes() == 5);  // in their order, with one question
        CHECK(bench.dma.writes[3].at == 400ns);
        CHECK(read_cqe(bench.memory.data.data()).wqe_index == 4);
        CHECK(read_cqe(bench.memory.data.data() + 64).wqe_index == 5);
        CHECK_FALSE(bench.dma.writes[4].train.express);
        CHECK_FALSE(bench.engine.holds_back());
        bench.complete();  // the sixth: three are unpolled
    });
    bench.run();
    CHECK(bench.faults.failed == std::vector<CqNum>{kCq});
    CHECK(statistic(bench.engine, "questions") == 2);
    CHECK(bench.cqes() == 5);
}

// The index is read when the fourth comes, and here 400 ns later. The fifth comes meanwhile, behind another poll.
TEST_CASE("cq: what comes while it asks is not judged by that answer", "[K165]") {
    CqBench bench(3);
    bench.at(0ns, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.complete();
        }
        bench.poll(1);
        bench.complete();
    });
    bench.at(200ns, [&] {
        bench.poll(2);
        bench.complete();
    });
    bench.at(401ns, [&] {
        CHECK(bench.cqes() == 4);
        CHECK(bench.engine.holds_back());
    });
    bench.run();
    CHECK(bench.cqes() == 5);
    CHECK(bench.faults.failed.empty());
    CHECK(statistic(bench.engine, "questions") == 2);
    check_at_rest(bench.engine);
}

// A queue of one entry that has been polled, which the NIC was not told; the read for that is refused until 1 us.
struct RefusedQuestion : CqBench {
    RefusedQuestion() : CqBench(1) {
        at(0ns, [this] {
            complete();
            poll(1);
            dma.refuses = true;
            complete();
            CHECK(dma.reads.empty());
        });
    }
};

TEST_CASE("cq: it asks again when a read that was refused may go") {
    RefusedQuestion bench;
    bench.at(1us, [&] { bench.dma.space(); });
    bench.run();
    CHECK(bench.dma.reads.size() == 1);
    CHECK(bench.cqes() == 2);
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("cq: a queue that is gone asks no more") {
    RefusedQuestion bench;
    bench.at(1us, [&] {
        bench.engine.destroy_cq(kCq);
        bench.dma.space();
    });
    bench.run();
    CHECK(bench.dma.reads.empty());
    CHECK(bench.cqes() == 1);
    CHECK(bench.faults.failed.empty());
}

}  // namespace ndsim::test::overrun_test

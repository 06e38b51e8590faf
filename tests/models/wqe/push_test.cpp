// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "tests/models/wqe/wqe_bench.hpp"

namespace ndsim::test::push_test {

TEST_CASE("wqe: a pushed WQE is used at once by a queue with nothing to do", "[formula]") {
    WqeBench bench;
    bench.at(10ns, [&] {
        bench.build(kQp, 4);
        bench.push_doorbell(kQp, 2);
    });
    bench.run();
    CHECK(bench.dma.reads.empty());
    REQUIRE(bench.messages.begun.size() == 1);
    CHECK(bench.messages.begun[0].at == 10ns);
    CHECK(bench.messages.packets.size() == 4);
    CHECK(statistic(bench.engine, "pushed_taken") == 1);
    bench.check_done();
}

TEST_CASE("wqe: a WQE that is pushed while the one before it is being fetched comes behind it") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(100ns, [&] {  // the fetch of the first is under way
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    });
    bench.run();
    CHECK(reads_of(bench) == Reads{{0, 1}});
    REQUIRE(requests_of(bench.messages.begun) == Numbers{1, 2});
    CHECK(bench.messages.begun[0].at == 400ns);           // the fetch
    CHECK(bench.messages.begun[1].at == 400ns + 100_ps);  // behind the first, at the bench's 10 G messages/s
    CHECK(statistic(bench.engine, "pushed_taken") == 1);
    bench.check_done();
}

// So many WQEs are posted, and wait at a fence from 0 to 2 us; at 1 us one more is pushed.
void push_behind(WqeBench& bench, std::uint32_t posted) {
    bench.messages.held[kQp] = Stall::fence;
    bench.at(0ns, [&bench, posted] { bench.post(kQp, posted); });
    bench.at(1us, [&bench] {
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    });
    bench.at(2us, [&bench] {
        bench.messages.held.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    Numbers all(posted + 1);
    std::iota(all.begin(), all.end(), 1U);
    CHECK(requests_of(bench.messages.begun) == all);
    bench.check_done();
}

TEST_CASE("wqe: a WQE that is pushed behind fetched ones is not fetched") {
    WqeBench bench;
    push_behind(bench, 2);
    CHECK(reads_of(bench) == Reads{{0, 2}});
    CHECK(statistic(bench.engine, "pushed_taken") == 1);
}

TEST_CASE("wqe: a WQE that is pushed behind ones that nobody has fetched is dropped, and fetched in its turn") {
    WqeBench bench;  // holds 16 units ahead
    push_behind(bench, 17);
    CHECK(statistic(bench.engine, "fetched_units") == 18);
    CHECK(statistic(bench.engine, "pushed_dropped") == 1);
}

TEST_CASE("wqe: pushes that keep meeting fetches are taken, each of them") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    for (int i = 1; i <= 20; ++i) {  // a read takes 400 ns: whatever is fetched, the next one is pushed meanwhile
        bench.at(i * 100ns, [&] {
            bench.build(kQp);
            bench.push_doorbell(kQp, 1);
        });
    }
    bench.run();
    CHECK(statistic(bench.engine, "fetched_units") == 1);
    CHECK(statistic(bench.engine, "pushed_taken") == 20);
    bench.check_done();
}

TEST_CASE("wqe: what was pushed behind a read is fetched again if the queue goes back to before it") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(100ns, [&] {
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    });
    bench.at(200ns, [&] { bench.engine.rewind(kQp, 0); });
    bench.run();
    CHECK(reads_of(bench) == Reads{{0, 1}, {0, 2}});  // the first is for nothing
    CHECK(requests_of(bench.messages.begun) == Numbers{1, 2});
    bench.check_done();
}

// All was fetched and has begun, and is fetched again when the queue pair fails: that read is for nothing.
TEST_CASE("wqe: what is pushed to a failed queue while a read of it is under way for nothing is flushed") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(500ns, [&] { bench.engine.rewind(kQp, 0); });  // until 900 ns
    bench.at(600ns, [&] { bench.engine.fail_qp(kQp); });
    bench.at(700ns, [&] {
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    });
    bench.run();
    REQUIRE(requests_of(bench.messages.flushed) == Numbers{2});
    CHECK(bench.messages.flushed[0].at == 900ns);
    bench.check_done();
}

TEST_CASE("wqe: a pushed WQE behind one that was posted without a doorbell is not taken for it") {
    WqeBench bench;
    bench.at(0ns, [&] {
        bench.build(kQp);
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);  // announces two, carries the second
    });
    bench.run();
    CHECK(requests_of(bench.messages.begun) == Numbers{1, 2});
    bench.check_done();
}

}  // namespace ndsim::test::push_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wqe/rq_bench.hpp"
#include "tests/models/wqe/wqe_bench.hpp"

namespace ndsim::test::engine_times_test {

template <class Bench>
void run_until_3us(Bench& bench, const Unit& unit) {
    bench.at(3us, [] {});
    bench.run();
    check_engines(unit);
}

// A message takes the engine a microsecond.
WqeParams slow() {
    WqeParams params = WqeBench::fast();
    params.global_rate = Frequency{1'000'000};
    return params;
}

TEST_CASE("wqe times: a message takes the engine as long as the NIC's message rate says") {
    WqeBench bench(slow());
    bench.at(0ns, [&] { bench.post(kQp, 1); });  // fetched until 400 ns
    run_until_3us(bench, bench.engine);
    CHECK(Picoseconds(statistic(bench.engine, "wqe_fetch")) == 400ns);
    CHECK(Picoseconds(statistic(bench.engine, "busy")) == 1us);
    CHECK(Picoseconds(statistic(bench.engine, "idle")) == 1600ns);
    CHECK(Picoseconds(statistic(bench.engine, "none")) == 2600ns);  // it had nothing to issue
}

TEST_CASE("wqe times: who waits for the NIC's message rate waits for the engine's work") {
    WqeBench bench(slow());
    bench.at(0ns, [&] {
        bench.post(kQp, 1);
        bench.post(kQp2, 1);
    });
    run_until_3us(bench, bench.engine);
    CHECK(Picoseconds(statistic(bench.engine, "nic_rate")) == 1us);
    CHECK(Picoseconds(statistic(bench.engine, "busy")) == 2us);
    CHECK(Picoseconds(statistic(bench.engine, "idle")) == 600ns);
}

// Both have their WQEs at 400 ns. The second message of one waits for 1 us from then on, which is nobody else's affair;
// the other one cannot go on until something happens. The NIC starts the second message 100 ps after the first.
TEST_CASE("wqe times: a queue pair's message rate is the last of what others wait for") {
    WqeParams params = WqeBench::fast();
    params.per_qp_rate = Frequency{1'000'000};
    WqeBench bench(params);
    bench.messages.blocked = {{kQp, Stall::read_limit}};
    bench.at(0ns, [&] {
        bench.post(kQp, 1);
        bench.post(kQp2, 2);
    });
    run_until_3us(bench, bench.engine);
    CHECK(Picoseconds(statistic(bench.engine, "qp_rate")) == 0ns);
    CHECK(Picoseconds(statistic(bench.engine, "read_limit")) == 2600ns - 100_ps);
}

// The first message begins at 400 ns. The second has its WQE at 900 ns. Its queue pair's rate would allow it at 1400
// ns, a read limit at 2 us.
TEST_CASE("wqe times: a queue pair's message rate is the last of what it waits for itself") {
    WqeParams params = WqeBench::fast();
    params.per_qp_rate = Frequency{1'000'000};
    WqeBench bench(params);
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(500ns, [&] {
        bench.messages.held = {{kQp, Stall::read_limit}};
        bench.post(kQp, 1);
    });
    bench.at(2us, [&] {
        bench.messages.held = {};
        bench.engine.resume_qp(kQp);
    });
    run_until_3us(bench, bench.engine);
    REQUIRE(bench.messages.begun.size() == 2);
    CHECK(bench.messages.begun[1].at == 2us);
    CHECK(Picoseconds(statistic(bench.engine, "qp_rate")) == 0ns);
    CHECK(Picoseconds(statistic(bench.engine, "read_limit")) == 1100ns);
}

// Both messages have their WQEs at 400 ns. The queue pair's rate would allow the second one at 900 ns, the NIC's at
// 1400 ns.
TEST_CASE("wqe times: of two message rates the one that allows the next message last is the one to wait for") {
    WqeParams params = slow();
    params.per_qp_rate = Frequency{2'000'000};
    WqeBench bench(params);
    bench.at(0ns, [&] { bench.post(kQp, 2); });
    run_until_3us(bench, bench.engine);
    CHECK(Picoseconds(statistic(bench.engine, "qp_rate")) == 0ns);
    CHECK(Picoseconds(statistic(bench.engine, "nic_rate")) == 1us);
    CHECK(Picoseconds(statistic(bench.engine, "busy")) == 2us);
}

TEST_CASE("wqe times: what holds a message up goes before the work at the one before it") {
    WqeBench bench(slow());
    bench.messages.blocked = {{kQp, Stall::tx_fifo}};
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(700ns, [&] {
        bench.messages.blocked.clear();
        bench.engine.resume();
    });
    run_until_3us(bench, bench.engine);
    // It started at 400 ns, and its packet was issued at 700 ns.
    CHECK(Picoseconds(statistic(bench.engine, "tx_fifo")) == 300ns);
    CHECK(Picoseconds(statistic(bench.engine, "busy")) == 700ns);
    CHECK(Picoseconds(statistic(bench.engine, "idle")) == 1600ns);
}

TEST_CASE("rq times: busy while receives are read, blocked while DMA takes no read of them") {
    RqBench bench;
    bench.at(0ns, [&] { bench.post(4); });
    bench.at(1us, [&] {
        bench.dma.refuses = true;
        bench.post(4);
    });
    bench.at(1300ns, [&] { bench.dma.space(); });
    run_until_3us(bench, bench.rq);
    CHECK(Picoseconds(statistic(bench.rq, "tags")) == 300ns);
    CHECK(Picoseconds(statistic(bench.rq, "busy")) == 400ns + 400ns);
    CHECK(Picoseconds(statistic(bench.rq, "idle")) == 1900ns);
}

}  // namespace ndsim::test::engine_times_test

// SPDX-License-Identifier: Apache-2.0

#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::engine_times_test {

TEST_CASE(
    "cq times: busy until entries are on PCIe, blocked while all that is left waits for a queue that seems full") {
    CqBench bench(3);
    bench.dma.issue_time = 10ns;
    bench.at(0ns, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.complete();
        }
    });
    bench.at(100ns, [&] {
        bench.poll(3);
        bench.complete();  // the NIC has heard of no poll; it asks, which takes 400 ns
    });
    bench.at(1us, [] {});
    bench.run();
    check_engines(bench.engine);
    CHECK(bench.cqes() == 4);
    CHECK(Picoseconds(statistic(bench.engine, "entries")) == 400ns);
    CHECK(Picoseconds(statistic(bench.engine, "busy")) == 20ns);
    CHECK(Picoseconds(statistic(bench.engine, "idle")) == 580ns);
}

TEST_CASE("cq times: an entry that waits to be shared is work, until it has left") {
    QueueParams params;
    params.cqe_compression = 4;
    params.cqe_compression_time = 100ns;
    CqBench bench(16, params);
    bench.dma.issue_time = 10ns;
    bench.at(0ns, [&] { bench.complete(); });
    bench.at(1us, [] {});
    bench.run();
    check_engines(bench.engine);
    CHECK(Picoseconds(statistic(bench.engine, "busy")) == 110ns);
}

}  // namespace ndsim::test::engine_times_test

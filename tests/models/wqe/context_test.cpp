// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wqe/wqe_bench.hpp"

namespace ndsim::test::context_test {

TEST_CASE("wqe: without its context a queue pair is not scheduled, and what was pushed along is dropped") {
    WqeBench bench;
    bench.contexts.missing.insert(kQp);
    bench.at(10ns, [&] {
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    });
    bench.at(500ns, [&] {
        CHECK(bench.dma.reads.empty());
        bench.contexts.bring(kQp);
    });
    bench.run();
    // Fetched from 500 ns on, in 400 ns.
    REQUIRE(bench.messages.begun.size() == 1);
    CHECK(bench.messages.begun[0].at == 900ns);
    CHECK(statistic(bench.engine, "pushed_dropped") == 1);
    bench.check_done();
}

TEST_CASE("wqe: a queue pair whose context has gone meanwhile waits, and others go on") {
    WqeBench bench;
    bench.at(0ns, [&] {
        bench.post(kQp, 1);
        bench.post(kQp2, 1);
    });
    bench.at(100ns, [&] { bench.contexts.missing.insert(kQp); });
    bench.at(600ns, [&] {
        CHECK(bench.messages.begun.size() == 1);
        CHECK(bench.messages.begun[0].qp == kQp2);
        bench.contexts.bring(kQp);
    });
    bench.run();
    REQUIRE(bench.messages.begun.size() == 2);
    CHECK(bench.messages.begun[1].at == 600ns);
    // 400 ns for the fetch, then 200 ns for the context.
    CHECK(statistic(bench.engine, "context") == 200'000);
    bench.check_done();
}

}  // namespace ndsim::test::context_test

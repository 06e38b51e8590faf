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

TEST_CASE("wqe: a context that a doorbell does not find is what its requests and the engine wait for") {
    WqeBench bench;
    LedgerBook& book = bench.ledgers.of(kHost);
    book.open(0ns);  // 1, pushed
    book.open(0ns);  // 2, later
    bench.contexts.missing.insert(kQp);
    bench.at(10ns, [&] {
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    });
    bench.at(300ns, [&] { bench.post(kQp, 1); });
    bench.at(500ns, [&] { bench.contexts.bring(kQp); });
    bench.run();
    // From the doorbells, at 10 ns and 300 ns, to the context at 500 ns; then one read fetches both, in 400 ns.
    const auto account = [&](std::uint32_t number, Account which) {
        return book.find(number)->accounts[static_cast<std::size_t>(which)];
    };
    CHECK(account(1, Account::doorbell) == 10ns);
    CHECK(account(1, Account::context) == 490ns);
    CHECK(account(1, Account::wqe_fetch) == 400ns);
    CHECK(account(1, Account::arbitration) == 0ns);
    CHECK(account(2, Account::doorbell) == 300ns);
    CHECK(account(2, Account::context) == 200ns);
    CHECK(account(2, Account::wqe_fetch) == 400ns);
    CHECK(account(2, Account::arbitration) == 100_ps);  // the rate: 10 G/s
    CHECK(statistic(bench.engine, "context") == 490'000);
    CHECK(statistic(bench.engine, "wqe_fetch") == 400'000);
    bench.check_done();
}

TEST_CASE("wqe: a queue pair that fails waits no longer for its context") {
    WqeBench bench;
    bench.contexts.missing = {kQp};
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(100ns, [&] { bench.engine.fail_qp(kQp); });  // its WQE is fetched until 500 ns, and flushed
    bench.at(900ns, [&] { CHECK(bench.messages.flushed.size() == 1); });
    bench.run();
    CHECK(statistic(bench.engine, "context") == 100'000);
    CHECK(statistic(bench.engine, "wqe_fetch") == 400'000);
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

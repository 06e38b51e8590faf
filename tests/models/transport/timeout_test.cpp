// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/retry_bench.hpp"

namespace ndsim::test::timeout_test {

// From an issue to the next one: the packet leaves when it is built, 35 ns later, and then the answer must come.
constexpr Picoseconds kAttempt = RequesterBench::kPipe + kTimeout;

TEST_CASE("timeout: 4.096 us x 2^n, 0 is never [wire.md 2.1]", "[X15][formula]") {
    CHECK(ack_timeout(0) == 0ns);
    CHECK(ack_timeout(1) == 8192ns);
    CHECK(ack_timeout(8) == 1'048'576ns);
    CHECK(ack_timeout(14) == 67'108'864ns);
    CHECK(ack_timeout(18) == 1'073'741'824ns);
    // 4096 ns x 2^31 = 2^43 ns.
    CHECK(ack_timeout(31) == std::chrono::nanoseconds{std::int64_t{1} << 43});
}

TEST_CASE("timeout: a dead peer is given up after (retry_count + 1) x T", "[X15][formula][limit]") {
    RetryBench bench(fast_timeout(2));
    bench.at(1us, [&] { bench.post_send(80); });
    bench.run();
    using Left = RetryBench::Left;
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 1us},
                                            {Opcode::send_only, 100, 1us + kAttempt},
                                            {Opcode::send_only, 100, 1us + 2 * kAttempt}});
    CHECK(bench.completed() == Statuses{{1, WcStatus::retry_exceeded}});
    CHECK(bench.completions.seen.at(0).told == 1us + 3 * kAttempt);
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    CHECK(statistic(bench.completer, "timeouts") == 3);
}

// Both requests are issued at 0, and nothing of them costs time but the two attempts.
TEST_CASE("timeout: the ledger of what ends so, and is flushed behind it, shows retransmission") {
    RetryBench bench(fast_timeout(1));
    LedgerBook& book = bench.ledgers.of(kHost);
    const std::array<std::uint32_t, 2> requests{book.open(0ns).id.number, book.open(0ns).id.number};
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::retry_exceeded}, {2, WcStatus::wr_flush}});
    for (const std::uint32_t request : requests) {
        const Ledger* const ledger = book.find(request);
        CHECK(ledger->accounts[static_cast<std::size_t>(Account::retransmit)] == 2 * kAttempt);
        CHECK(ledger->total() == 2 * kAttempt);
    }
}

TEST_CASE("timeout: retry count 7 tries eight times", "[X15][limit]") {
    RetryBench bench(fast_timeout(7));
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.run();
    CHECK(bench.psns() == Psns(8, 100));
    CHECK(bench.completions.seen.at(0).told == 8 * kAttempt);
}

TEST_CASE("timeout: retry count 0 does not try again", "[X15][limit]") {
    RetryBench bench(fast_timeout(0));
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.run();
    CHECK(bench.psns() == Psns{100});
    CHECK(bench.completions.seen.at(0).told == kAttempt);
}

TEST_CASE("timeout: code 0 waits for ever", "[X15]") {
    TransportParams params;
    params.timeout_code = 0;
    RetryBench bench(params);
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(1s, [&] {
        CHECK(bench.psns() == Psns{100});
        bench.ack(100);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("timeout: an unanswered Read is asked for again", "[X15]") {
    RetryBench bench(fast_timeout(1));
    bench.at(0ns, [&] { bench.post_read(3000); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 100});
    CHECK(bench.completed() == Statuses{{1, WcStatus::retry_exceeded}});
    CHECK(bench.completions.seen.at(0).told == 2 * kAttempt);
    check_at_rest(bench.reads);
}

TEST_CASE("timeout: progress starts the time anew", "[X15][limit]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(60us, [&] { bench.ack(100); });
    bench.at(60us + kTimeout - 1_ps, [&] { CHECK(bench.psns() == Psns{100, 101}); });
    bench.at(60us + kTimeout + 1_ps, [&] {
        CHECK(bench.psns() == Psns{100, 101, 101});
        bench.ack(101);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
}

TEST_CASE("timeout: an acknowledgement that brings nothing new does not start the time anew", "[X15]") {
    RetryBench bench;
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(60us, [&] { bench.ack(99); });
    bench.at(kAttempt + 1_ps, [&] {
        CHECK(bench.psns() == Psns{100, 100});
        bench.ack(100);
    });
    bench.run();
}

TEST_CASE("timeout: progress gives the retries back", "[X16]") {
    RetryBench bench(fast_timeout(1));
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    // After the first timeout no retry is left; the acknowledgement brings it back, and time for the second message.
    bench.at(kTimeout + 1us, [&] { bench.ack(100); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 100, 101, 101});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::retry_exceeded}});
    CHECK(bench.completions.seen.at(1).told == kTimeout + 1us + kTimeout + kAttempt);
}

// The lane is busy with other queue pairs' packets for 210 us.
TEST_CASE("timeout: the time runs from when a packet that asks for an answer has left", "[X15]") {
    RetryBench bench;
    bench.egress.requests = nullptr;
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(200us, [&] { bench.requester.request_sent(bench.egress.sent.at(0).packet, 210us); });
    bench.at(210us + kTimeout - 1_ps, [&] { CHECK(bench.psns() == Psns{100}); });
    bench.at(210us + kTimeout + 1_ps, [&] {
        CHECK(bench.psns() == Psns{100, 100});
        bench.ack(100);
    });
    bench.run();
    CHECK(statistic(bench.completer, "timeouts") == 1);
}

// After the first timeout the lane takes nothing more.
TEST_CASE("timeout: what goes back is given up although the lane takes none of it", "[X15]") {
    RetryBench bench(fast_timeout(2));
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(1us, [&] { bench.egress.requests = nullptr; });
    bench.run();
    CHECK(bench.psns() == Psns{100, 100, 100});
    CHECK(bench.completions.seen.at(0).told == kAttempt + 2 * kTimeout);
}

TEST_CASE("timeout: nothing is left behind when nothing is outstanding", "[X15]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80, kWqeSignaled, kQp2);
    });
    bench.at(1us, [&] { bench.ack(100); });
    bench.at(2us, [&] { bench.ack(100, Aeth::kAck, 0, kQp2); });
    bench.run();
    CHECK(bench.now() == 2us);  // no event of a timer keeps the simulation alive
    check_at_rest(bench.completer);
}

TEST_CASE("timeout: each queue pair has its own time", "[X15]") {
    RetryBench bench;
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(30us, [&] { bench.post_send(80, kWqeSignaled, kQp2); });
    bench.at(40us, [&] { bench.ack(100); });
    bench.at(50us, [&] { bench.post_send(80); });
    bench.at(200us, [&] {
        using Left = RetryBench::Left;
        CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 0ns},
                                                {Opcode::send_only, 101, 50us},
                                                {Opcode::send_only, 101, 50us + kAttempt},
                                                {Opcode::send_only, 101, 50us + 2 * kAttempt}});
        CHECK(bench.left(kQp2).at(1).at == 30us + kAttempt);
        bench.ack(101);
        bench.ack(100, Aeth::kAck, 0, kQp2);
    });
    bench.run();
    CHECK(bench.now() == 200us);
}

}  // namespace ndsim::test::timeout_test

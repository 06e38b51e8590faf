// SPDX-License-Identifier: Apache-2.0
#include "models/proto/rnr_timer.hpp"
#include "tests/models/transport/queue_bench.hpp"

namespace ndsim::test::rnr_test {

constexpr std::uint8_t kRnr10us = Aeth::kRnrNak | 1;
constexpr std::uint8_t kRnr640us = Aeth::kRnrNak | 12;

QpConnection with_retries(std::uint32_t rnr_retry) {
    QpConnection connection = QueueBench::plain_connection();
    connection.rnr_retry = rnr_retry;
    return connection;
}

// Payload is there at once; the timeout is 8.192 us, shorter than every wait.
struct RnrBench : QueueBench {
    explicit RnrBench(std::uint32_t rnr_retry = 7) : QueueBench(params(), with_retries(rnr_retry)) {
        dma.latency = 0ns;
    }
    static TransportParams params() {
        TransportParams params;
        params.timeout_code = 1;
        return params;
    }
};

TEST_CASE("rnr: the table of waits", "[X21][formula]") {
    // In microseconds, code by code [wire.md 2.2].
    const int microseconds[] = {655'360, 10,     20,     30,      40,      60,      80,      120,
                                160,     240,    320,    480,     640,     960,     1'280,   1'920,
                                2'560,   3'840,  5'120,  7'680,   10'240,  15'360,  20'480,  30'720,
                                40'960,  61'440, 81'920, 122'880, 163'840, 245'760, 327'680, 491'520};
    for (std::uint8_t code = 0; code < 32; ++code) {
        INFO(int{code});
        CHECK(rnr_wait(code) == std::chrono::microseconds{microseconds[code]});
    }
}

// The NAK comes at 1 us and asks for 10 us; before it, both have waited for their answers.
TEST_CASE("rnr: the ledger of the refused request, and of what was sent behind it, has the wait") {
    RnrBench bench;
    LedgerBook& book = bench.ledgers.of(kHost);
    const std::array<std::uint32_t, 2> requests{book.open(0ns).id.number, book.open(0ns).id.number};
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, kRnr10us); });
    bench.at(11us + 500ns, [&] {
        for (const std::uint32_t request : requests) {
            const Ledger* const ledger = book.find(request);
            CHECK(ledger->accounts[static_cast<std::size_t>(Account::ack_return)] == 1us);
            CHECK(ledger->accounts[static_cast<std::size_t>(Account::rnr)] == 10us);
        }
        bench.ack(101);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
}

TEST_CASE("rnr: the message is sent again when the time that the NAK names is over", "[X21][X22][formula]") {
    RnrBench bench;
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(1us, [&] { bench.ack(100, kRnr640us); });
    bench.at(642us, [&] { bench.ack(100); });
    bench.run();
    using Left = RnrBench::Left;
    // 1 us + 0.64 ms; no timeout strikes while the peer is waited for.
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 0ns}, {Opcode::send_only, 100, 641us}});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    CHECK(statistic(bench.completer, "timeouts") == 0);
}

TEST_CASE("rnr: a NAK acknowledges what is before it", "[X20]") {
    RnrBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(101, kRnr10us); });
    bench.at(12us, [&] { bench.ack(101); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 101});
    CHECK(bench.completions.seen.at(0).told == 1us);
    CHECK(bench.completions.seen.at(1).told == 12us);
}

TEST_CASE("rnr: with 0 retries the first NAK is fatal", "[X23][limit]") {
    RnrBench bench(0);
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, kRnr10us); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::rnr_retry_exceeded}, {2, WcStatus::wr_flush}});
    CHECK(bench.completions.seen.at(0).told == 1us);
    CHECK(bench.now() == 1us);  // nothing is waited for any more
}

TEST_CASE("rnr: with k retries the (k + 1)th NAK is fatal", "[X23][limit]") {
    RnrBench bench(2);
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(1us, [&] { bench.ack(100, kRnr10us); });   // sent again at 11 us
    bench.at(12us, [&] { bench.ack(100, kRnr10us); });  // at 22 us
    bench.at(23us, [&] { bench.ack(100, kRnr10us); });
    bench.run();
    using Left = RnrBench::Left;
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 0ns},
                                            {Opcode::send_only, 100, 11us},
                                            {Opcode::send_only, 100, 22us}});
    CHECK(bench.completed() == Statuses{{1, WcStatus::rnr_retry_exceeded}});
    CHECK(bench.completions.seen.at(0).told == 23us);
}

TEST_CASE("rnr: 7 retries never end", "[X23]") {
    RnrBench bench(7);
    bench.at(0ns, [&] { bench.post_send(80); });
    // Sent at 0, 11, 22 us ...; NAKs at 1, 12, 23 us ...
    for (int i = 0; i < 30; ++i) {
        bench.at(1us + i * 11us, [&] { bench.ack(100, kRnr10us); });
    }
    bench.at(1us + 30 * 11us, [&] { bench.ack(100); });
    bench.run();
    CHECK(bench.psns() == Psns(31, 100));
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("rnr: progress gives the retries back", "[X16][X23]") {
    RnrBench bench(1);
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, kRnr10us); });
    bench.at(12us, [&] { bench.ack(101, kRnr10us); });  // 100 has arrived meanwhile
    bench.at(23us, [&] { bench.ack(101); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
}

TEST_CASE("rnr: later requests of the queue pair wait, other queue pairs do not", "[X24][limit]") {
    RnrBench bench;
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(1us, [&] { bench.ack(100, kRnr10us); });
    bench.at(2us, [&] {
        bench.post_write(80);
        bench.post_read(80);
        bench.post_local(WqeOpcode::invalidate, MrKey{0x500});
        bench.post_send(80, kWqeSignaled, kQp2);
        CHECK(bench.engine.stall() == Stall::rnr);
    });
    bench.at(2us + 1_ps, [&] { bench.ack(100, Aeth::kAck, 0, kQp2); });
    bench.at(11us - 1_ps, [&] {
        CHECK(bench.psns() == Psns{100});
        CHECK(bench.psns(kQp2) == Psns{100});
        CHECK(bench.keys.done.empty());
    });
    bench.at(12us, [&] {
        CHECK(bench.psns() == Psns{100, 100, 101, 102});
        bench.ack(101);
        bench.respond(Opcode::read_response_only, 102, 80);
    });
    bench.run();
    CHECK(bench.completions.seen.size() == 5);
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("rnr: a NAK that comes twice counts once and asks for no more time", "[X23]") {
    RnrBench bench(1);
    bench.at(0ns, [&] { bench.post_send(80); });
    bench.at(1us, [&] { bench.ack(100, kRnr10us); });
    bench.at(2us, [&] { bench.ack(100, kRnr10us); });  // the link has repeated it
    bench.at(12us, [&] { bench.ack(100); });
    bench.run();
    using Left = RnrBench::Left;
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 0ns}, {Opcode::send_only, 100, 11us}});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("rnr: what has arrived after all is not sent again", "[X24]") {
    RnrBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, kRnr10us); });
    bench.at(2us, [&] { bench.ack(100); });
    bench.at(12us, [&] { bench.ack(101); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 101});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    CHECK(bench.now() == 12us);
}

}  // namespace ndsim::test::rnr_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/retry_bench.hpp"

namespace ndsim::test::retry_test {

TEST_CASE("retry: after a lost acknowledgement the message is sent again and completes once", "[X10]") {
    RetryBench bench;
    bench.at(0ns, [&] { bench.post_send(1500); });
    bench.at(kTimeout + 1us, [&] { bench.ack(101); });
    bench.at(kTimeout + 2us, [&] { bench.ack(101); });  // the duplicate is acknowledged, too
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 100, 101});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    CHECK(bench.faults.failed.empty());
    bench.check_payloads();
}

TEST_CASE("retry: a sequence NAK has everything from its PSN on sent again", "[X8]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        for (int i = 0; i < 5; ++i) {
            bench.post_send(80);
        }
    });
    bench.at(1us, [&] { bench.ack(102, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(104); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 103, 104, 102, 103, 104});
    CHECK(bench.completions.seen.at(1).told == 1us);  // 100 and 101 are acknowledged by it
    CHECK(bench.completions.seen.at(2).told == 2us);
    CHECK(bench.completions.seen.size() == 5);
    CHECK(statistic(bench.completer, "rewinds") == 1);
}

TEST_CASE("retry: a sequence NAK in the middle of a message goes on with that packet", "[X8]") {
    RetryBench bench;
    bench.at(0ns, [&] { bench.post_send(4500, kWqeSignaled); });  // 100-104
    bench.at(1us, [&] { bench.ack(102, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(104); });
    bench.run();
    REQUIRE(bench.psns() == Psns{100, 101, 102, 103, 104, 102, 103, 104});
    const Opcode again[] = {Opcode::send_middle, Opcode::send_middle, Opcode::send_last};
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(bench.egress.sent[5 + i].packet.opcode == again[i]);
        CHECK(bench.payload(5 + i) ==
              pattern(i < 2 ? 1024 : 4500 - 4096, static_cast<std::uint32_t>(2048 + 1024 * i) % 251));
    }
    CHECK(bench.egress.sent[7].packet.ack_request);
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("retry: sequence NAKs without progress use the retries up", "[X15]") {
    RetryBench bench(fast_timeout(2));
    bench.at(0ns, [&] { bench.post_send(80); });
    for (int i = 1; i <= 3; ++i) {
        bench.at(i * 1us, [&] { bench.ack(100, Aeth::kNakSequence); });
    }
    bench.run();
    CHECK(bench.psns() == Psns{100, 100, 100});
    CHECK(bench.completed() == Statuses{{1, WcStatus::retry_exceeded}});
    CHECK(bench.completions.seen.at(0).told == 3us);
}

TEST_CASE("retry: an old NAK changes nothing", "[X8]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100); });
    bench.at(2us, [&] {
        bench.ack(100, Aeth::kNakSequence);
        bench.ack(100, Aeth::kRnrNak | 1);
        bench.ack(100, Aeth::kNakRemoteAccess);
    });
    bench.at(3us, [&] { bench.ack(101); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
}

TEST_CASE("retry: a message of which only a part was issued goes on behind what is acknowledged", "[X8]") {
    RetryBench bench;
    bench.egress.room = 3 * 1106_B;
    bench.at(0ns, [&] { bench.post_send(5000); });  // 100-104, of which three find room
    bench.at(1us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102});
        bench.egress.room = 1_MiB;
        bench.ack(101, Aeth::kNakSequence);
    });
    bench.at(2us, [&] { bench.ack(104); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 101, 102, 103, 104});
    CHECK(bench.payload(3) == pattern(1024, 1024 % 251));
    CHECK(bench.work.built.size() == 2);  // one for each time that the message had a slot
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("retry: packets whose payload is still being read are dropped by a rewind, and nothing is lost", "[X8]") {
    RetryBench bench;
    bench.dma.latency.reset();
    const Bytes room = bench.egress.room;
    bench.at(0ns, [&] {
        bench.post_send(1500);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.dma.answer(0, {1us, 1us}); });  // only packet 100 leaves
    // The peer has missed it, and everything is issued again: reads 3, 4 and 5.
    bench.at(2us, [&] {
        bench.ack(100, Aeth::kNakSequence);
        REQUIRE(bench.dma.reads.size() == 6);
        for (const std::size_t n : {std::size_t{1}, std::size_t{2}}) {
            bench.dma.answer(n, {bench.now(), bench.now()});
        }
        CHECK(bench.psns() == Psns{100});
        for (const std::size_t n : {std::size_t{3}, std::size_t{4}, std::size_t{5}}) {
            bench.dma.answer(n, {bench.now(), bench.now()});
        }
        bench.ack(102);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 100, 101, 102});
    CHECK(bench.work.built.size() == 4);
    CHECK(room - bench.egress.room == 1106_B + 1106_B + 558_B + 162_B);  // 82 + 476 and 82 + 80
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    check_at_rest(bench.requester);
    bench.check_payloads();
}

TEST_CASE("retry: what is acknowledged between the rewind and its packet is not sent again", "[X10]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
        bench.post_send(80);
        bench.egress.room = 0_B;
    });
    bench.at(kTimeout + 1us, [&] { bench.ack(101); });
    bench.at(kTimeout + 2us, [&] {
        bench.egress.room = 1_MiB;
        bench.work.resume_qp(kQp);
    });
    bench.at(kTimeout + 3us, [&] { bench.ack(102); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 102});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}, {3, WcStatus::success}});
    bench.check_payloads();
}

TEST_CASE("retry: when everything is acknowledged after the rewind nothing is sent again", "[X10]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(3000);
        bench.egress.room = 0_B;
    });
    bench.at(kTimeout + 1us, [&] { bench.ack(102); });
    bench.at(kTimeout + 2us, [&] {
        bench.egress.room = 1_MiB;
        bench.work.resume_qp(kQp);
        bench.post_send(80);  // and the next one goes on behind it
    });
    bench.at(kTimeout + 3us, [&] { bench.ack(103); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 103});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    CHECK(bench.now() == kTimeout + 3us);
}

TEST_CASE("retry: once everything is acknowledged no answer is waited for, though packets were to be sent again",
          "[X10][X15]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(3000);
        bench.egress.room = 0_B;
    });
    bench.at(kTimeout + 1us, [&] { bench.ack(102); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    CHECK(statistic(bench.completer, "timeouts") == 1);
    CHECK(bench.now() == kTimeout + 1us);
}

TEST_CASE("retry: a local operation behind a message that is sent again is done once", "[X8][X46]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_local(WqeOpcode::fast_register, MrKey{0x500});
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakSequence); });
    bench.at(kTimeout + 2us, [&] { bench.ack(101); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 100, 101, 100, 101});
    CHECK(bench.keys.done == std::vector<MrKey>{MrKey{0x500}});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}, {3, WcStatus::success}});
    check_at_rest(bench.locals);
}

TEST_CASE("retry: a failure after a rewind flushes every request exactly once", "[X31][X32]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        for (int i = 0; i < 4; ++i) {
            bench.post_send(1500);
        }
        bench.post_local(WqeOpcode::invalidate, MrKey{0x500});
        bench.post_read(100);
    });
    bench.at(1us, [&] {
        bench.egress.room = 1106_B;  // of what is sent again one packet finds room
        bench.ack(102, Aeth::kNakSequence);
        bench.post_send(80);  // has never begun
    });
    bench.at(2us, [&] { bench.ack(102, Aeth::kNakRemoteAccess); });
    bench.at(3us, [&] { bench.post_send(80); });
    bench.run();
    Statuses expected{{1, WcStatus::success}, {2, WcStatus::rem_access}};
    for (std::uint32_t i = 3; i <= 8; ++i) {
        expected.emplace_back(i, WcStatus::wr_flush);
    }
    CHECK(bench.completed() == expected);
    check_at_rest(bench.completer);
    check_at_rest(bench.requester);
    check_at_rest(bench.reads);
}

TEST_CASE("retry: a fatal NAK that comes after the rewind fails its own message", "[X31]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
        bench.egress.room = 0_B;
    });
    bench.at(kTimeout + 1us, [&] { bench.ack(101, Aeth::kNakInvalidRequest); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::rem_inv_req}});
}

TEST_CASE("retry: PSNs wrap in a NAK and in what is sent again", "[X8]") {
    QpConnection connection = RetryBench::plain_connection();
    connection.first_psn = Psn{0xFF'FFFE};
    RetryBench bench(fast_timeout(), connection);
    bench.at(0ns, [&] { bench.post_send(4096 + 80); });  // FFFFFE, FFFFFF, 0, 1, 2
    bench.at(1us, [&] { bench.ack(0xFF'FFFF, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(1, Aeth::kNakSequence); });
    bench.at(3us, [&] { bench.ack(2); });
    bench.run();
    CHECK(bench.psns() == Psns{0xFF'FFFE, 0xFF'FFFF, 0, 1, 2, 0xFF'FFFF, 0, 1, 2, 1, 2});
    CHECK(bench.payload(9) == pattern(1024, 3072 % 251));
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("retry: a local key that has died meanwhile fails the message that is sent again", "[X31]") {
    RetryBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80, kWqeSignaled, kQp, MrKey{5});
        bench.post_send(80);
    });
    bench.at(1us, [&] {
        bench.protection.bad = MrKey{5};
        bench.ack(100, Aeth::kNakSequence);
    });
    bench.at(2us, [&] {
        CHECK(bench.completions.seen.empty());
        bench.ack(100);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 100});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::loc_prot}, {3, WcStatus::wr_flush}});
}

}  // namespace ndsim::test::retry_test

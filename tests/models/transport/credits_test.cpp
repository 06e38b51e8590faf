// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/queue_bench.hpp"
#include "tests/models/transport/responder_bench.hpp"

namespace ndsim::test::credits_test {

QpConnection with_credits() {
    QpConnection connection = QueueBench::plain_connection();
    connection.credits = true;
    return connection;
}

// Payload is there at once. Credit codes: 0 -> 0, 1 -> 1, 2 -> 2, 3 -> 3, 4 -> 4, 5 -> 6 receives [wire.md 1.6].
struct CreditBench : QueueBench {
    explicit CreditBench(const QpConnection& connection = with_credits()) : QueueBench(no_timeout(), connection) {
        dma.latency = 0ns;
    }
    void send(int n) {
        for (int i = 0; i < n; ++i) {
            post_send(8);
        }
    }
};

TEST_CASE("credits: one message beyond the limit goes as a probe, and no more", "[X18][limit]") {
    CreditBench bench;
    bench.at(0ns, [&] {
        bench.send(10);
        CHECK(bench.engine.stall() == Stall::credits);
    });
    bench.at(1us, [&] {
        CHECK(bench.psns() == Psns{100});  // nothing is known yet: LSN 0, so SSN 1 may go
        bench.ack(100, 3, 1);              // 3 receives behind message 1: LSN 4, so SSN 5 may go
    });
    bench.at(2us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102, 103, 104});
        bench.ack(104, 0, 5);  // no receive is left: LSN 5, SSN 6 may go
    });
    bench.at(3us, [&] { CHECK(bench.psns() == Psns{100, 101, 102, 103, 104, 105}); });
    bench.run();
}

TEST_CASE("credits: code 31 sets no limit", "[X18]") {
    CreditBench bench;
    bench.at(0ns, [&] { bench.send(100); });
    bench.at(1us, [&] { bench.ack(100, 31, 1); });
    bench.at(2us, [&] { CHECK(bench.psns().size() == 100); });
    bench.run();
}

TEST_CASE("credits: without them there is no limit", "[X18]") {
    CreditBench bench(QueueBench::plain_connection());
    bench.at(0ns, [&] { bench.send(100); });
    bench.at(1us, [&] { CHECK(bench.psns().size() == 100); });
    bench.run();
}

TEST_CASE("credits: Writes, Reads and local operations take no receive, and are not held", "[X18]") {
    CreditBench bench;
    bench.at(0ns, [&] {
        bench.send(1);
        bench.post_write(8);
        bench.post_read(8);
        bench.post_local(WqeOpcode::fast_register, MrKey{0x500});
        bench.post_write(8);
        bench.send(1);
    });
    bench.at(1us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102, 103});
        CHECK(bench.engine.stall() == Stall::credits);
        bench.ack(101, 0, 2);
    });
    bench.at(2us, [&] {
        // LSN 2; the next Send is message 5.
        CHECK(bench.psns().size() == 4);
        bench.respond(Opcode::read_response_only, 102, 8, 3);
        bench.ack(103, 0, 4);
    });
    bench.at(3us, [&] { CHECK(bench.psns() == Psns{100, 101, 102, 103, 104}); });
    bench.run();
}

TEST_CASE("credits: a Send behind Reads goes when they are answered, though no acknowledgement comes", "[X18]") {
    CreditBench bench;
    bench.at(0ns, [&] { bench.send(1); });
    bench.at(1us, [&] { bench.ack(100, 0, 1); });
    bench.at(2us, [&] {
        bench.post_read(8);
        bench.post_read(8);
        bench.send(1);
    });
    bench.at(3us, [&] { bench.respond(Opcode::read_response_only, 101, 8, 2); });
    bench.at(4us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102});  // message 4, and the peer has told of 2
        bench.respond(Opcode::read_response_only, 102, 8, 3);
    });
    bench.at(5us, [&] { CHECK(bench.psns() == Psns{100, 101, 102, 103}); });
    bench.run();
}

TEST_CASE("credits: an old acknowledgement takes nothing back", "[X18]") {
    CreditBench bench;
    bench.at(0ns, [&] { bench.send(10); });
    bench.at(1us, [&] { bench.ack(100, 5, 1); });  // LSN 7: messages up to 8
    bench.at(2us, [&] { bench.ack(100, 0, 1); });
    bench.at(3us, [&] { CHECK(bench.psns().size() == 8); });
    bench.run();
}

TEST_CASE("credits: only the probe meets an RNR NAK, and its acknowledgement renews the credit", "[X18]") {
    CreditBench bench;
    bench.at(0ns, [&] { bench.send(10); });
    bench.at(1us, [&] { bench.ack(100, 1, 1); });  // one receive behind message 1: LSN 2, so SSN 3 may go, as a probe
    bench.at(2us, [&] { CHECK(bench.psns() == Psns{100, 101, 102}); });
    bench.at(3us, [&] { bench.ack(102, Aeth::kRnrNak | 1); });  // message 2 is there, the probe found no receive
    // The NAK tells of no receives. Until 10 us later nothing goes, and then the probe only.
    bench.at(13us - 1_ps, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102});
        CHECK(bench.engine.stall() == Stall::rnr);
    });
    bench.at(14us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102, 102});
        CHECK(bench.left().back().at == 13us);
        CHECK(bench.engine.stall() == Stall::credits);
        bench.ack(102, 2, 3);  // it has found one, and there are two more: LSN 5, SSN 6 may go
    });
    bench.at(15us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102, 102, 103, 104, 105});
        CHECK(bench.engine.stall() == Stall::credits);
    });
    bench.run();
    CHECK(statistic(bench.completer, "rnr_naks") == 1);
}

TEST_CASE("responder: tells how many receives it has, in whole codes", "[X18]") {
    ResponderBench bench;
    QpConnection connection;
    connection.peer = QpNum{0x99};
    connection.mtu = 1024;
    connection.expected_psn = Psn{100};
    connection.gives_credits = true;
    bench.responder.connect_qp(kQp, connection);
    for (int i = 0; i < 6; ++i) {
        bench.post({{0, 100}});
    }
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 101, 80); });
    bench.run();
    REQUIRE(bench.acks.size() == 2);
    // 5 left: code 4 says 4, code 5 would say 6. Then 4 left: code 4.
    CHECK(bench.acks[0].packet.aeth.syndrome == 4);
    CHECK(bench.acks[0].packet.aeth.msn == 1);
    CHECK(bench.acks[1].packet.aeth.syndrome == 4);
    CHECK(bench.acks[1].packet.aeth.msn == 2);
}

}  // namespace ndsim::test::credits_test

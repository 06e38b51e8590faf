// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/responder_bench.hpp"

namespace ndsim::test::responder_test {

// The DMA double: issued 10 ns, visible 200 ns after the last byte of the packet.

TEST_CASE("responder: a message fills the oldest receive, completes behind its payload and is acknowledged",
          "[formula]") {
    ResponderBench bench;
    bench.post({{512, 100}});
    bench.post({{1024, 100}});
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 100, 80, 6ns, false, true); });
    bench.run();
    CHECK(bench.memory_at(512, 80) == pattern(80, 100));
    CHECK(bench.memory_at(592, 20) == std::vector<std::byte>(20));  // surplus buffer stays unused
    REQUIRE(bench.dma.writes.size() == 1);
    CHECK(bench.dma.writes[0].train.ready.start == 1us);
    CHECK(bench.dma.writes[0].train.ready.end == 1006ns);
    CHECK_FALSE(bench.dma.writes[0].train.express);
    REQUIRE(bench.completions.seen.size() == 1);
    const auto& seen = bench.completions.seen[0];
    CHECK(seen.cq == kReceiveCq);
    CHECK(seen.cqe.wqe_index == 1);
    CHECK(seen.cqe.bytes == 80);
    CHECK(seen.cqe.opcode == WqeOpcode::receive);
    CHECK(seen.cqe.status == WcStatus::success);
    CHECK(seen.cqe.solicited);
    CHECK(seen.at == 1006ns);
    CHECK(seen.behind_payload);
    // dma_issued: 10 ns after the last byte, then 35 ns to build the ACK.
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].at == 1006ns + 10ns + 35ns);
    CHECK(bench.acks[0].packet.psn == Psn{100});
    CHECK(bench.acks[0].packet.destination == QpNum{0x99});
    CHECK(bench.acks[0].packet.to == HostId{5});
    CHECK(bench.acks[0].packet.aeth.syndrome == 0x1F);
    CHECK(bench.acks[0].packet.aeth.msn == 1);
    CHECK(bench.rx_buffer.seen.size() == 1);
    CHECK(bench.rx_buffer.seen[0].bytes == 162_B);
    CHECK(bench.rx_buffer.seen[0].when == 1016ns);
    CHECK(bench.payloads.in_use() == 0);
    check_at_rest(bench.responder);
}

TEST_CASE("responder: a write goes to its place, takes no receive and completes nothing", "[X5][K143]") {
    ResponderBench bench;
    bench.post({{512, 100}});
    bench.at(1us, [&] {
        bench.receive_write(Opcode::write_first, 100, 1024, 2048, 1500);
        bench.receive(Opcode::write_last, 101, 476);
    });
    bench.at(2us, [&] { bench.receive(Opcode::send_only, 102, 80); });
    bench.run();
    CHECK(bench.memory_at(2048, 1024) == pattern(1024, 100));
    CHECK(bench.memory_at(3072, 476) == pattern(476, 101));
    CHECK(bench.memory_at(512, 80) == pattern(80, 102));  // the receive was left for the Send
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.bytes == 80);
    REQUIRE(bench.acks.size() == 2);
    CHECK(bench.acks[0].packet.psn == Psn{101});
    CHECK(bench.acks[0].packet.aeth.msn == 1);
    CHECK(bench.acks[1].packet.aeth.msn == 2);
    CHECK(bench.protection.asked.at(0).length ==
          1500);  // the whole message; no key changes before its last packet (R55)
    CHECK(bench.protection.asked.at(0).access == kRemoteWrite);
    CHECK(bench.protection.asked.size() == 2);  // and the receive
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("responder: a write with a bad key is refused, touches nothing and fails the queue pair", "[X26]") {
    ResponderBench bench;
    bench.at(1us, [&] {
        bench.receive_write(Opcode::write_first, 100, 1024, 2048, 1500, bench.protection.bad);
        bench.receive(Opcode::write_last, 101, 476);
    });
    bench.run();
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.aeth.syndrome == Aeth::kNakRemoteAccess);
    CHECK(bench.acks[0].packet.psn == Psn{100});
    CHECK(bench.dma.writes.empty());
    CHECK(bench.completions.seen.empty());
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("responder: an empty write asks for no key", "[K146]") {
    ResponderBench bench;
    bench.at(1us, [&] { bench.receive_write(Opcode::write_only, 100, 0, 0, 0, bench.protection.bad); });
    bench.run();
    CHECK(bench.protection.asked.empty());
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.aeth.syndrome == 0x1F);
}

// Two packets come, 48 ns apart; each of their writes is visible 200 ns after the packet's last byte.
TEST_CASE("responder: payload counts as placed when it is visible in memory, not when it is accepted") {
    ResponderBench bench;
    bench.at(1us, [&] {
        CHECK(bench.responder.placed(kQp).bytes == 0);
        bench.receive_write(Opcode::write_first, 100, 1024, 2048, 1500);
    });
    bench.at(1048ns, [&] { bench.receive(Opcode::write_last, 101, 476, 6ns); });
    bench.run();
    CHECK(bench.responder.placed(kQp).bytes == 1500);
    CHECK(bench.responder.placed(kQp).last == 1048ns + 6ns + 200ns);
}

Picoseconds ack_time(AckPoint point) {
    TransportParams params;
    params.ack_point = point;
    ResponderBench bench(params);
    bench.post({{512, 100}});
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 100, 80, 6ns); });
    bench.run();
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.psn == Psn{100});
    return bench.acks[0].at;
}

TEST_CASE("responder: acknowledges once the payload is visible, if asked to", "[formula]") {
    CHECK(ack_time(AckPoint::visible) == 1006ns + 200ns + 35ns);
}

TEST_CASE("responder: acknowledges once the packet is accepted, if asked to", "[formula]") {
    // When its last byte is through the receive pipeline, and 35 ns.
    CHECK(ack_time(AckPoint::accepted) == 1006ns + 35ns);
}

TEST_CASE("responder: a message over several packets is scattered over the receive's entries, empty ones among them") {
    ResponderBench bench;
    bench.post({{0, 0}, {1000, 300}, {0, 0}, {5000, 1500}, {9000, 1000}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_first, 100, 1024); });
    bench.at(100ns, [&] { bench.receive(Opcode::send_middle, 101, 1024); });
    bench.at(200ns, [&] { bench.receive(Opcode::send_last, 102, 10); });
    bench.run();
    // Packet 100: 300 + 724; packet 101: 776 + 248; packet 102: 10.
    CHECK(bench.memory_at(1000, 300) == pattern(300, 100));
    CHECK(bench.memory_at(5000, 724) == pattern(724, 100 + 300));
    CHECK(bench.memory_at(5724, 776) == pattern(776, 101));
    CHECK(bench.memory_at(9000, 248) == pattern(248, 101 + 776));
    CHECK(bench.memory_at(9248, 10) == pattern(10, 102));
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.bytes == 2058);
    CHECK(bench.acks.size() == 1);
    CHECK(bench.acks.at(0).packet.psn == Psn{102});
    CHECK(bench.rx_buffer.total() == 1106_B + 1106_B + 94_B);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("responder: an empty message takes a receive and completes with 0 bytes", "[X6]") {
    ResponderBench bench;
    bench.post({});
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 0); });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.bytes == 0);
    CHECK(bench.dma.writes.empty());
    CHECK(bench.acks.at(0).at == 35ns);
    CHECK(bench.rx_buffer.total() == 84_B);
}

TEST_CASE("responder: an acknowledgement covers what is accepted by then, and counts messages", "[X17][X19]") {
    ResponderBench bench;
    bench.egress.on_ack = nullptr;
    for (int i = 0; i < 3; ++i) {
        bench.post({{0, 100}});
    }
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 3; ++i) {
            bench.receive(Opcode::send_only, 100 + i, 8);
        }
    });
    bench.at(40ns, [&] { CHECK_FALSE(bench.responder.acks->make_ack(kQp)); });  // nothing yet
    bench.at(50ns, [&] {
        const Packet ack = bench.responder.acks->make_ack(kQp).value();
        CHECK(ack.psn == Psn{102});
        CHECK(ack.aeth.msn == 3);
    });
    bench.run();
    CHECK(bench.egress.acks.size() == 3);
}

TEST_CASE("responder: message 2^24 has the number 0 in acknowledgements", "[X17]") {
    ResponderBench bench;
    Acknowledger acks(bench.responder, ResponderBench::kPipe, bench.responder.egress, bench.responder.receives);
    acks.create(kQp, nullptr);
    QpConnection connection;
    connection.expected_psn = Psn{100};
    acks.connect(kQp, connection);
    Psn psn{100};
    const auto message = [&] {
        acks.executed(kQp, acks.accept(kQp, psn, true, false), 0ns);
        psn = psn + 1;
    };
    for (std::uint32_t i = 1; i < 1U << 24U; ++i) {
        message();
    }
    CHECK(acks.msn(kQp) == 0xFF'FFFF);
    message();
    CHECK(acks.msn(kQp) == 0);
}

TEST_CASE("responder: an empty message is not acknowledged before the payload in front of it is issued") {
    ResponderBench bench;
    bench.dma.holds_writes = true;
    bench.post({{0, 100}});
    bench.post({{0, 100}});
    bench.at(0ns, [&] {
        bench.receive(Opcode::send_only, 100, 8);
        bench.receive(Opcode::send_only, 101, 0);
    });
    bench.at(500ns, [&] {
        for (const auto& ack : bench.acks) {
            CHECK(ack.packet.psn == Psn{99});
        }
        bench.dma.schedule(0, 600ns, 800ns);
    });
    bench.run();
    REQUIRE_FALSE(bench.acks.empty());
    CHECK(bench.acks.back().packet.psn == Psn{101});
    CHECK(bench.acks.back().packet.aeth.msn == 2);
    CHECK(bench.acks.back().at == 635ns);
}

TEST_CASE("responder: acknowledged PSNs never go back") {
    ResponderBench bench;
    bench.dma.holds_writes = true;
    for (int i = 0; i < 4; ++i) {
        bench.post({{0, 100}});
    }
    bench.at(0ns, [&] {
        bench.receive(Opcode::send_only, 100, 8);
        bench.receive(Opcode::send_only, 101, 0);
        bench.receive(Opcode::send_only, 102, 8);
        bench.receive(Opcode::send_only, 103, 0);
    });
    bench.at(10ns, [&] { bench.dma.schedule(0, 10ns, 200ns); });
    bench.at(20ns, [&] { bench.dma.schedule(1, 300ns, 400ns); });
    bench.run();
    Psn last{99};
    for (const auto& ack : bench.acks) {
        CHECK(ack.packet.psn.ahead_of(last) >= 0);
        last = ack.packet.psn;
    }
    CHECK(last == Psn{103});
    // 101 is true from 45 ns on, 103 from 335 ns.
    for (const auto& ack : bench.acks) {
        CHECK((ack.at >= 335ns || ack.packet.psn.ahead_of(Psn{101}) <= 0));
    }
    CHECK(bench.acks.back().at == 335ns);
}

TEST_CASE("responder: a receive that is still being fetched holds up its message and those behind it") {
    ResponderBench bench;
    bench.receives.under_way = true;
    bench.post({{0, 100}});
    bench.post({{100, 100}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 8, 5ns); });
    bench.at(50ns, [&] { bench.receive(Opcode::send_only, 101, 8, 5ns); });
    bench.at(300ns, [&] {
        CHECK(bench.dma.writes.empty());
        bench.receives.under_way = false;
        bench.responder.receive_ready(kQp);
    });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 2);
    CHECK(bench.completions.seen[0].at == 300ns);
    CHECK(bench.completions.seen[0].cqe.wqe_index == 1);
    CHECK(bench.completions.seen[1].cqe.wqe_index == 2);
    CHECK(bench.acks.back().packet.psn == Psn{101});
    CHECK(Picoseconds(statistic(bench.responder, "receive_wqe")) == 300ns);
    check_at_rest(bench.responder);
}

TEST_CASE("responder: a payload write's wait for credits is charged to the receive and to its message") {
    ResponderBench bench;
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    bench.post({{0, 100}}, ledger.id.number);
    bench.dma.holds_writes = true;
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 100, 80, 0ns); });
    bench.at(1100ns, [&] {
        const auto& write = bench.dma.writes.at(0);
        write.client->write_waited(write.train.token, {1100ns, 1250ns});
        bench.dma.schedule(0, 1260ns, 1500ns);
    });
    bench.run();
    const auto charged = [&](Account account) { return ledger.accounts[static_cast<std::size_t>(account)]; };
    CHECK(charged(Account::credits) == 150ns);
    CHECK(charged(Account::dma_write) == 350ns);  // 100 before the wait, and 250 behind it
}

TEST_CASE("responder: the ledger of a receive waits for its message, then for its payload") {
    ResponderBench bench;
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    bench.post({{0, 100}}, ledger.id.number);
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 100, 80, 6ns); });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::message)] == 1006ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::dma_write)] == 200ns);
}

}  // namespace ndsim::test::responder_test

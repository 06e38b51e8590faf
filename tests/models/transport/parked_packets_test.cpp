// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/park_bench.hpp"

namespace ndsim::test::parked_packets_test {

using Done = ParkBench::Done;

// One receive is fetched ahead. The one behind it is requested when the message at 1 us takes it, and is there 400 ns
// of reading later, at 1.4 us: a message of the same queue pair that comes before that misses. An 8-byte packet takes
// 90 B.

// At 1.1 us such a message, at 1.2 us one for the other queue pair, whose receive is there.
void one_misses(ParkBench& bench) {
    bench.at(0ns, [&] {
        bench.post(2, kQp);
        bench.post(1, kQp2);
    });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] { bench.send(kQp, 101); });
    bench.at(1200ns, [&] { bench.send(kQp2, 100); });
    bench.run();
    bench.check_done(3 * 90_B);
    CHECK(statistic(bench.rq, "misses") == 1);
}

TEST_CASE("parking: without a place a message of another queue pair waits for a receive WQE that is not its own") {
    ParkBench bench(0);
    one_misses(bench);
    // 1.4 us = 1 us + 400 ns of fetch.
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us}, {kQp, 1, 1400ns}, {kQp2, 0, 1400ns}});
    CHECK(statistic(bench.responder, "parked") == 0);
    CHECK(bench.most_parked() == 0);
}

TEST_CASE("parking: with a place it does not") {
    ParkBench bench(1);
    one_misses(bench);
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us}, {kQp2, 0, 1200ns}, {kQp, 1, 1400ns}});
    CHECK(statistic(bench.responder, "parked") == 1);
    CHECK(bench.most_parked() == 1);
    // Each packet's room comes back 10 ns after its payload was given to DMA.
    REQUIRE(bench.rx_buffer.seen.size() == 3);
    CHECK(bench.rx_buffer.seen[1].when == 1210ns);
    CHECK(bench.rx_buffer.seen[2].when == 1410ns);
    // The last one's acknowledgement 35 ns behind that.
    CHECK(bench.acks.back().at == 1445ns);
    CHECK(bench.acks.back().packet.psn == Psn{101});
}

// The receives of two queue pairs are there at 1.4 us and at 1.5 us, that of the third is there.
void two_miss(ParkBench& bench) {
    bench.at(0ns, [&] {
        bench.post(2, kQp);
        bench.post(2, kQp2);
        bench.post(1, kQp3);
    });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] { bench.send(kQp2, 100); });
    bench.at(1200ns, [&] { bench.send(kQp, 101); });
    bench.at(1250ns, [&] { bench.send(kQp2, 101); });
    bench.at(1300ns, [&] { bench.send(kQp3, 100); });
    bench.run();
    bench.check_done(5 * 90_B);
    CHECK(statistic(bench.rq, "misses") == 2);
}

TEST_CASE("parking: one message more than there are places holds up everything behind it, until it gets the place") {
    ParkBench bench(1);
    two_miss(bench);
    CHECK(bench.done() ==
          std::vector<Done>{{kQp, 0, 1us}, {kQp2, 0, 1100ns}, {kQp, 1, 1400ns}, {kQp3, 0, 1400ns}, {kQp2, 1, 1500ns}});
    CHECK(statistic(bench.responder, "parked") == 2);
    CHECK(bench.most_parked() == 1);
}

TEST_CASE("parking: with as many places as messages that miss, nobody else waits") {
    ParkBench bench(2);
    two_miss(bench);
    CHECK(bench.done() ==
          std::vector<Done>{{kQp, 0, 1us}, {kQp2, 0, 1100ns}, {kQp3, 0, 1300ns}, {kQp, 1, 1400ns}, {kQp2, 1, 1500ns}});
    CHECK(bench.most_parked() == 2);
}

TEST_CASE("parking: without places messages that miss wait one after the other") {
    ParkBench bench(0);
    two_miss(bench);
    CHECK(bench.done() ==
          std::vector<Done>{{kQp, 0, 1us}, {kQp2, 0, 1100ns}, {kQp, 1, 1400ns}, {kQp2, 1, 1500ns}, {kQp3, 0, 1500ns}});
}

TEST_CASE("parking: a queue pair that blocks all comes before a later one that misses as well") {
    // kQp is parked until 1.4 us, kQp2 holds up what is behind it, among that the second message of kQp3, whose receive
    // is requested when its first one is let in, at 1.4 us.
    ParkBench bench(1);
    bench.at(0ns, [&] {
        bench.post(2, kQp);
        bench.post(2, kQp2);
        bench.post(2, kQp3);
    });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] { bench.send(kQp2, 100); });
    bench.at(1200ns, [&] { bench.send(kQp, 101); });
    bench.at(1250ns, [&] {
        bench.send(kQp2, 101);
        bench.send(kQp3, 100);
        bench.send(kQp3, 101);
        bench.receive(kQp, Opcode::write_only, 102);
    });
    bench.at(1450ns, [&] { CHECK(bench.dma.writes.size() == 4); });  // the Write is behind kQp3's second message
    bench.at(1550ns, [&] { CHECK(bench.dma.writes.size() == 6); });
    bench.run();
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us},
                                            {kQp2, 0, 1100ns},
                                            {kQp, 1, 1400ns},
                                            {kQp3, 0, 1400ns},
                                            {kQp2, 1, 1500ns},
                                            {kQp3, 1, 1800ns}});
    CHECK(statistic(bench.responder, "parked") == 3);
    bench.check_done(6 * 90_B + 106_B);  // a Write has 16 B of RETH
}

TEST_CASE("parking: what follows on the same queue pair keeps its order, and may wait again") {
    ParkBench bench(1);
    bench.at(0ns, [&] { bench.post(3, kQp); });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] {
        bench.receive(kQp, Opcode::send_first, 101, 1024);
        bench.receive(kQp, Opcode::send_last, 102);
        bench.receive(kQp, Opcode::write_only, 103);
        bench.send(kQp, 104);
        bench.receive(kQp, Opcode::write_only, 105);
    });
    bench.at(1390ns, [&] { CHECK(bench.dma.writes.size() == 1); });
    // The third receive is requested at 1.4 us, and is there at 1.8 us.
    bench.at(1790ns, [&] { CHECK(bench.dma.writes.size() == 4); });
    bench.run();
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us}, {kQp, 1, 1400ns}, {kQp, 2, 1800ns}});
    REQUIRE(bench.dma.writes.size() == 6);
    CHECK(bench.dma.writes[5].at == 1800ns);  // the Write behind it
    CHECK(statistic(bench.responder, "parked") == 2);
    Psn last{99};
    for (const auto& ack : bench.acks) {
        CHECK(ack.packet.psn.ahead_of(last) >= 0);
        last = ack.packet.psn;
    }
    CHECK(last == Psn{105});
    bench.check_done(90_B + 1106_B + 90_B + 106_B + 90_B + 106_B);
}

TEST_CASE("parking: a gap behind a parked message is found when it is its turn", "[X8]") {
    ParkBench bench(1);
    bench.at(0ns, [&] { bench.post(3, kQp); });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] {
        bench.send(kQp, 101);
        bench.send(kQp, 103);
    });
    bench.run();
    CHECK(bench.done().size() == 2);
    // 101 is executed at 1.41 us, and the NAK of 102, which acknowledges it, ready 35 ns later.
    REQUIRE(bench.acks.size() >= 2);
    CHECK(bench.acks[1].packet.aeth.syndrome == Aeth::kNakSequence);
    CHECK(bench.acks[1].packet.psn == Psn{102});
    CHECK(bench.acks[1].at == 1445ns);
    bench.check_done(3 * 90_B);
}

TEST_CASE("parking: a queue pair that fails gives back its place and its room in the RX buffer") {
    ParkBench bench(1);
    bench.at(0ns, [&] {
        bench.post(2, kQp);
        bench.post(2, kQp2);
    });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] {
        bench.send(kQp, 101);
        bench.send(kQp, 102);
    });
    bench.at(1150ns, [&] { bench.send(kQp2, 100); });
    bench.at(1200ns, [&] { bench.send(kQp2, 101); });  // finds no place
    bench.at(1210ns, [&] { bench.send(kQp, 103); });
    bench.at(1300ns, [&] { bench.faults.qp_failed(kQp, WcStatus::wr_flush); });
    bench.at(1350ns, [&] { bench.rq.destroy_qp(kQp); });
    bench.run();
    // kQp2's second receive is requested at 1.15 us.
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us}, {kQp2, 0, 1150ns}, {kQp2, 1, 1550ns}});
    CHECK(statistic(bench.responder, "dropped") == 3);
    REQUIRE(bench.rx_buffer.seen.size() == 6);
    for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{4}}) {
        CHECK(bench.rx_buffer.seen[n].when == 1300ns);
    }
    CHECK(bench.most_parked() == 1);
    bench.check_done(6 * 90_B);
}

TEST_CASE("parking: a queue pair that is destroyed leaves nothing behind") {
    ParkBench bench(1);
    bench.at(0ns, [&] { bench.post(2, kQp); });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] { bench.send(kQp, 101); });
    bench.at(1300ns, [&] {
        for (QpLifecycle* const unit : bench.faults.units) {
            unit->destroy_qp(kQp);
        }
    });
    bench.run();
    REQUIRE(bench.rx_buffer.seen.size() == 2);
    CHECK(bench.rx_buffer.seen[1].when == 1300ns);
    bench.check_done(2 * 90_B);
}

TEST_CASE("parking: the wait of a parked message is charged to its receive WQE") {
    ParkBench bench(1);
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    bench.at(0ns, [&] { bench.post(2, kQp); });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] {
        Packet packet;
        packet.opcode = Opcode::send_only;
        packet.psn = Psn{101};
        packet.destination = kQp;
        packet.request = ledger.id;
        bench.responder.receive(packet, {bench.now(), bench.now()});
    });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::rx_buffer)] == 1100ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::receive_wqe)] == 300ns);  // until 1.4 us
}

// Receives of a shared queue come at 1.4, 1.8 and 2.2 us, each requested when the one before it is taken.
TEST_CASE("parking: receives of a shared queue go to whoever asked first, not to what follows a parked message") {
    ParkBench bench(2, true);
    bench.at(0ns, [&] { bench.post(4); });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] {
        bench.send(kQp, 101);
        bench.send(kQp, 102);
        bench.send(kQp2, 100);
    });
    bench.run();
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us}, {kQp, 1, 1400ns}, {kQp2, 2, 1800ns}, {kQp, 3, 2200ns}});
    bench.check_done(4 * 90_B);
}

TEST_CASE("parking: a receive that a parked message waits for is not there for another queue pair", "[X20]") {
    ParkBench bench(2, true);
    bench.at(0ns, [&] { bench.post(2); });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] { bench.send(kQp, 101); });
    bench.at(1200ns, [&] { bench.send(kQp2, 100); });
    bench.run();
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us}, {kQp, 1, 1400ns}});
    REQUIRE(bench.acks.size() == 3);
    CHECK(bench.acks[1].packet.aeth.syndrome == (Aeth::kRnrNak | 12));
    CHECK(bench.acks[1].at == 1235ns);  // at once, 35 ns to build it
    bench.check_done(3 * 90_B);
}

TEST_CASE("parking: who waits for a shared queue goes on when the one before it fails") {
    ParkBench bench(2, true);
    bench.at(0ns, [&] { bench.post(3); });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] {
        bench.send(kQp, 101);
        bench.send(kQp2, 100);
    });
    bench.at(1200ns, [&] { bench.faults.qp_failed(kQp, WcStatus::wr_flush); });
    bench.run();
    CHECK(bench.done() == std::vector<Done>{{kQp, 0, 1us}, {kQp2, 1, 1400ns}});
    bench.check_done(3 * 90_B);
}

}  // namespace ndsim::test::parked_packets_test

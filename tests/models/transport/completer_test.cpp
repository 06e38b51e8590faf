// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/requester_bench.hpp"

namespace ndsim::test::completer_test {

TEST_CASE("completer: one acknowledgement retires all messages that it covers, in order", "[X12][X55]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.send(bench.message({{0, 1500}}));  // PSNs 100-101, 102-103, 104-105
        }
    });
    bench.at(1us, [&] { bench.ack(104); });  // the third is covered in part
    bench.at(2us, [&] { bench.ack(103); });  // old
    bench.at(3us, [&] { bench.ack(105); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}, {3, WcStatus::success}});
    CHECK(bench.completions.seen.at(1).told == 1us);
    CHECK(bench.completions.seen.at(2).told == 3us);
    const Cqe& cqe = bench.completions.seen[0].cqe;
    CHECK(bench.completions.seen[0].cq == kSendCq);
    CHECK_FALSE(bench.completions.seen[0].behind_payload);
    CHECK(cqe.qp == kQp);
    CHECK(cqe.wqe_index == 501);
    CHECK(cqe.opcode == WqeOpcode::send);
    check_at_rest(bench.completer);
}

TEST_CASE("completer: silent success makes no completion, its failure does", "[X54]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        bench.send(bench.message({{0, 10}}, 0));
        bench.send(bench.message({{0, 10}}, 0));
        bench.send(bench.message({{0, 10}}, 0));
    });
    bench.at(1us, [&] { bench.ack(100); });
    bench.at(2us, [&] { bench.ack(101, Aeth::kNakRemoteOperational); });
    bench.run();
    CHECK(bench.completed() == Statuses{{2, WcStatus::rem_op}, {3, WcStatus::wr_flush}});
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
}

// Requests have running numbers from 501 on: with the first two retired, 503 is the oldest that is not.
TEST_CASE("completer: tells memory how far the queue is retired, once for an acknowledgement", "[K57]") {
    RequesterBench bench;
    QpAttributes attributes;
    attributes.qp = kQp;
    attributes.head = Memory::kBase + 64;
    bench.completer.create_qp(attributes);
    QpConnection connection;
    connection.first_psn = Psn{100};
    bench.completer.connect_qp(kQp, connection);
    bench.at(0ns, [&] {
        for (const unsigned flags : std::array<unsigned, 4>{0, kWqeSignaled, 0, 0}) {
            bench.send(bench.message({{0, 10}}, flags));
        }
    });
    bench.at(1us, [&] { bench.ack(101); });
    bench.at(2us, [&] { bench.ack(103, Aeth::kNakRemoteOperational); });
    bench.run();
    const auto& heads = bench.completions.heads;
    REQUIRE(heads.size() == 2);
    CHECK(heads[0].to == Memory::kBase + 64);
    CHECK(heads[0].head == 503);
    CHECK(heads[0].at == 1us);
    CHECK(heads[1].head == 504);  // the fourth has failed
    CHECK(bench.completed() == Statuses{{2, WcStatus::success}, {4, WcStatus::rem_op}});
}

TEST_CASE("completer: a NAK acknowledges what is before it, fails its message and flushes the rest", "[X31]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        for (int i = 0; i < 4; ++i) {
            bench.send(bench.message({{0, 1500}}));
        }
    });
    bench.at(1us, [&] { bench.ack(103, Aeth::kNakInvalidRequest); });  // the second packet of the second message
    bench.at(2us, [&] { bench.ack(107); });                            // too late
    bench.run();
    CHECK(
        bench.completed() ==
        Statuses{{1, WcStatus::success}, {2, WcStatus::rem_inv_req}, {3, WcStatus::wr_flush}, {4, WcStatus::wr_flush}});
}

TEST_CASE("completer: what a NAK means [wire.md 8]") {
    const std::pair<std::uint8_t, WcStatus> naks[] = {{std::uint8_t{0x61}, WcStatus::rem_inv_req},
                                                      {std::uint8_t{0x62}, WcStatus::rem_access},
                                                      {std::uint8_t{0x63}, WcStatus::rem_op},
                                                      {std::uint8_t{0x20 | 12}, WcStatus::rnr_retry_exceeded}};
    RequesterBench bench;
    // A queue pair for each.
    for (std::uint32_t i = 0; i < 4; ++i) {
        QpAttributes attributes;
        attributes.qp = QpNum{kFirstQp + i};
        QpConnection connection;
        connection.mtu = 1024;
        for (QpLifecycle* const unit : bench.faults.units) {
            unit->create_qp(attributes);
            unit->connect_qp(attributes.qp, connection);
        }
    }
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 4; ++i) {
            const QpNum qp{kFirstQp + i};
            bench.begin(bench.message({}), qp);
            (void)bench.requester.issue(qp);
            Packet packet;
            packet.opcode = Opcode::acknowledge;
            packet.destination = qp;
            packet.aeth.syndrome = naks[i].first;
            bench.completer.acknowledge(packet);
        }
    });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(bench.completions.seen[i].cqe.status == naks[i].second);
    }
}

TEST_CASE("completer: a local protection error completes behind the messages before it", "[X31][X55]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        bench.send(bench.message({{0, 10}}));
        const auto result = bench.send(bench.message({{0, 10}, {0, 10, MrKey{0xBAD}}}));
        CHECK(result.turn == Turn::blocked);
        CHECK(result.stall == Stall::psn_window);  // concerns this queue pair only
    });
    bench.at(500ns, [&] { CHECK(bench.completions.seen.empty()); });
    bench.at(1us, [&] { bench.ack(100); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::loc_prot}});
    CHECK(bench.egress.sent.size() == 1);
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    CHECK(bench.work.built.size() == 2);  // both have given their slot back
    check_at_rest(bench.requester);
    check_at_rest(bench.completer);
}

TEST_CASE("completer: a local protection error with nothing before it completes at once") {
    RequesterBench bench;
    bench.at(1us, [&] { (void)bench.send(bench.message({{0, 10, MrKey{0xBAD}}})); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::loc_prot}});
    CHECK(bench.completions.seen[0].told == 1us);
    CHECK(bench.work.built == std::vector<Picoseconds>{1us});
}

TEST_CASE("requester: packets whose payload is still being read are dropped when the queue pair fails") {
    RequesterBench bench;
    bench.dma.latency.reset();
    const Bytes room = bench.egress.room;
    bench.at(0ns, [&] {
        bench.send(bench.message({{0, 2048}}));
        bench.begin(bench.message({{0, 3000}}));
        (void)bench.requester.issue(kQp);  // one of three packets
    });
    bench.at(1us, [&] { bench.faults.qp_failed(kQp, WcStatus::wr_flush); });
    bench.at(2us, [&] {
        for (std::size_t i = 0; i < 3; ++i) {
            bench.dma.answer(i, {2us, 2us});
        }
    });
    bench.run();
    CHECK(bench.egress.sent.empty());
    CHECK(bench.egress.room == room);
    CHECK(bench.payloads.in_use() == 0);
    CHECK(bench.work.built.size() == 2);  // a slot for each message, once
    CHECK(bench.completed() == Statuses{{1, WcStatus::wr_flush}, {2, WcStatus::wr_flush}});
    check_at_rest(bench.requester);
}

TEST_CASE("completer: the ledger ends with the way back of the acknowledgement") {
    RequesterBench bench;
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    bench.at(100ns, [&] { bench.send(bench.inline_message(8, 0)); });
    bench.at(200ns, [&] { ledger.mark(Account::wire, 700ns); });
    bench.at(1us, [&] { bench.ack(100); });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::arbitration)] == 100ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::ack_return)] == 300ns);
    CHECK(ledger.total() == 1us);
}

TEST_CASE("completer: the ledger of what is flushed shows for what it has waited") {
    RequesterBench bench;
    LedgerBook& book = bench.ledgers.of(kHost);
    const std::uint32_t fails = book.open(0ns).id.number;
    const std::uint32_t begun = book.open(0ns).id.number;
    const std::uint32_t not_begun = book.open(0ns).id.number;
    bench.at(0ns, [&] {
        bench.send(bench.inline_message(8, 0));
        bench.send(bench.inline_message(8, 0));
    });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakRemoteOperational); });
    bench.at(2us, [&] { bench.requester.flush(kQp, bench.inline_message(8, 0)); });
    bench.run();
    CHECK(book.find(fails)->accounts[static_cast<std::size_t>(Account::ack_return)] == 1us);
    CHECK(book.find(begun)->accounts[static_cast<std::size_t>(Account::ack_return)] == 1us);
    CHECK(book.find(not_begun)->accounts[static_cast<std::size_t>(Account::arbitration)] == 2us);
}

}  // namespace ndsim::test::completer_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/responder_bench.hpp"

namespace ndsim::test::nak_test {

TEST_CASE("responder: a message longer than its receive is NAKed and fails the QP", "[X25][limit]") {
    ResponderBench bench;
    bench.post({{0, 100}, {200, 20}});
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 100, 121); });
    bench.run();
    CHECK(bench.dma.writes.empty());
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.status == WcStatus::loc_len);
    CHECK(bench.completions.seen[0].cqe.wqe_index == 1);
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].at == 1035ns);
    CHECK(bench.acks[0].packet.aeth.syndrome == 0x61);
    CHECK(bench.acks[0].packet.psn == Psn{100});
    CHECK(bench.payloads.in_use() == 0);
    CHECK(bench.rx_buffer.total() == 206_B);  // 82 + 124
    check_at_rest(bench.responder);
}

// The last byte of each is there 700 ns after its first grain, and an answer takes 35 ns to build.
TEST_CASE("responder: a refused packet is answered when its last byte is there", "[X4][X8][X9][X20][X25]") {
    ResponderBench bench;
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 101, 80, 700ns); });  // behind a gap
    bench.at(3us, [&] { bench.receive(Opcode::send_only, 99, 80, 700ns); });   // a duplicate
    bench.at(5us, [&] { bench.receive(Opcode::send_only, 100, 80, 700ns); });  // without a receive
    bench.at(7us, [&] {
        bench.post({{0, 100}});
        bench.receive(Opcode::send_only, 100, 121, 700ns);  // too long
    });
    bench.run();
    REQUIRE(bench.acks.size() == 4);
    CHECK(bench.acks[0].packet.aeth.syndrome == 0x60);
    CHECK(bench.acks[0].at == 1735ns);
    CHECK(bench.acks[1].packet.aeth.syndrome < 0x20);
    CHECK(bench.acks[1].at == 3735ns);
    CHECK(bench.acks[2].packet.aeth.syndrome == (0x20 | 12));
    CHECK(bench.acks[2].at == 5735ns);
    CHECK(bench.acks[3].packet.aeth.syndrome == 0x61);
    CHECK(bench.acks[3].at == 7735ns);
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].at == 7700ns);
}

TEST_CASE("responder: a message that just fits is accepted", "[X25][limit]") {
    ResponderBench bench;
    bench.post({{0, 100}, {200, 20}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 120); });
    bench.run();
    CHECK(bench.completions.seen.at(0).cqe.status == WcStatus::success);
}

TEST_CASE("responder: a NAK follows the acknowledgements of the packets before it", "[X25]") {
    ResponderBench bench;
    bench.dma.issue_time = 300ns;
    bench.post({{0, 1500}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_first, 100, 1024); });
    bench.at(100ns, [&] { bench.receive(Opcode::send_last, 101, 1000); });
    bench.run();
    REQUIRE_FALSE(bench.acks.empty());
    CHECK(bench.acks.back().packet.aeth.syndrome == 0x61);
    CHECK(bench.acks.back().packet.psn == Psn{101});
    // The payload of packet 100, which a NAK of 101 acknowledges, is on PCIe at 300 ns.
    CHECK(bench.acks.back().at == 335ns);
}

TEST_CASE("responder: a NAK waits for payload that DMA has not even scheduled", "[X25]") {
    ResponderBench bench;
    bench.dma.holds_writes = true;
    bench.post({{0, 1500}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_first, 100, 1024); });
    bench.at(100ns, [&] { bench.receive(Opcode::send_last, 101, 1000); });
    bench.at(500ns, [&] {
        for (const auto& ack : bench.acks) {
            CHECK(ack.packet.aeth.syndrome == Aeth::kAck);
        }
        bench.dma.schedule(0, 700ns, 900ns);
    });
    bench.run();
    REQUIRE_FALSE(bench.acks.empty());
    CHECK(bench.acks.back().packet.aeth.syndrome == 0x61);
    CHECK(bench.acks.back().packet.psn == Psn{101});
    CHECK(bench.acks.back().at == 735ns);
}

TEST_CASE("responder: no receive posted: RNR NAK, nothing is taken, the QP stays as it is", "[X20]") {
    ResponderBench bench;
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.at(10ns, [&] {
        bench.post({{0, 100}});
        bench.receive(Opcode::send_only, 101, 80);  // behind it: dropped, and no second NAK
    });
    bench.run();
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.aeth.syndrome == (0x20 | 12));
    CHECK(bench.acks[0].packet.psn == Psn{100});
    CHECK(bench.acks[0].packet.aeth.msn == 0);
    CHECK(bench.acks[0].at == 35ns);
    CHECK(bench.receives.queue.size() == 1);
    CHECK(bench.completions.seen.empty());
    CHECK(bench.faults.failed.empty());
    CHECK(bench.payloads.in_use() == 0);
    CHECK(bench.rx_buffer.total() == 2 * 162_B);
    CHECK(statistic(bench.responder, "rnr_naks") == 1);
}

TEST_CASE("responder: a receive whose buffer may not be written fails on both sides", "[X27]") {
    ResponderBench bench;
    bench.post({{0, 100}, {200, 100, MrKey{0xBAD}}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.run();
    CHECK(bench.dma.writes.empty());
    CHECK(bench.completions.seen.at(0).cqe.status == WcStatus::loc_prot);
    CHECK(bench.acks.at(0).packet.aeth.syndrome == 0x63);
    CHECK(bench.faults.failed.size() == 1);
    for (const auto& asked : bench.protection.asked) {
        CHECK(asked.access == kLocalWrite);
    }
}

TEST_CASE("responder: packets to a failed queue pair are dropped without an answer", "[X33]") {
    ResponderBench bench;
    bench.post({{0, 100}});
    bench.at(0ns, [&] { bench.responder.fail_qp(kQp); });
    bench.at(1ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.run();
    CHECK(bench.egress.acks.empty());
    CHECK(bench.completions.seen.empty());
    CHECK(bench.receives.queue.size() == 1);
    CHECK(bench.payloads.in_use() == 0);
    CHECK(bench.rx_buffer.total() == 162_B);
    CHECK(statistic(bench.responder, "dropped") == 1);
}

TEST_CASE("responder: a queue pair that fails while its message waits for the receive drops it and goes on") {
    ResponderBench bench;
    bench.receives.under_way = true;
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.at(1ns, [&] {
        bench.responder.fail_qp(kQp);
        bench.responder.receive_ready(kQp);
    });
    bench.run();
    CHECK(statistic(bench.responder, "dropped") == 1);
    CHECK(bench.payloads.in_use() == 0);
    check_at_rest(bench.responder);
}

TEST_CASE("responder: a gap in the PSNs is answered once, with the PSN that is missing", "[X8]") {
    ResponderBench bench;
    for (int i = 0; i < 4; ++i) {
        bench.post({{0, 100}});
    }
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.at(1us, [&] {
        bench.receive(Opcode::send_only, 102, 80);  // 101 is lost
        bench.receive(Opcode::send_only, 103, 80);  // silently dropped
    });
    bench.at(2us, [&] { bench.receive(Opcode::send_only, 101, 80); });
    bench.at(2100ns, [&] { bench.receive(Opcode::send_only, 102, 80); });
    bench.at(3us, [&] { bench.receive(Opcode::send_only, 104, 80); });  // another gap, another NAK
    bench.run();
    REQUIRE(bench.acks.size() == 5);
    CHECK(bench.acks[1].packet.aeth.syndrome == 0x60);
    CHECK(bench.acks[1].packet.psn == Psn{101});
    CHECK(bench.acks[1].at == 1035ns);  // built in 35 ns
    CHECK(bench.acks[2].packet.aeth.syndrome == 0x1F);
    CHECK(bench.acks[3].packet.psn == Psn{102});
    CHECK(bench.acks[4].packet.aeth.syndrome == 0x60);
    CHECK(bench.acks[4].packet.psn == Psn{103});
    CHECK(bench.completions.seen.size() == 3);  // 100, 101, 102: each once
    CHECK(bench.payloads.in_use() == 0);
    check_at_rest(bench.responder);
}

TEST_CASE("responder: a duplicate is not executed again, but acknowledged", "[X9]") {
    ResponderBench bench;
    bench.post({{0, 100}});
    bench.post({{200, 100}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.at(2us, [&] { bench.receive_write(Opcode::write_only, 101, 64, 2048, 64); });
    bench.at(3us, [&] {
        bench.memory.data[2048] = std::byte{0xEE};  // a second execution would overwrite it
        bench.receive_write(Opcode::write_only, 101, 64, 2048, 64);
    });
    bench.run();
    CHECK(bench.completions.seen.size() == 1);
    CHECK(bench.receives.queue.size() == 1);
    CHECK(bench.memory.data[2048] == std::byte{0xEE});
    REQUIRE(bench.acks.size() == 4);
    CHECK(bench.acks[1].packet.psn == Psn{100});
    CHECK(bench.acks[1].packet.aeth.msn == 1);
    CHECK(bench.acks[3].packet.psn == Psn{101});
    CHECK(bench.acks[3].packet.aeth.msn == 2);
    CHECK(statistic(bench.responder, "duplicates") == 2);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("responder: a receive posted during the wait after an RNR NAK serves the next attempt", "[X20][X22]") {
    ResponderBench bench;
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 80); });
    bench.at(1us, [&] { bench.receive(Opcode::send_only, 100, 80); });  // still none: a second NAK
    bench.at(2us, [&] {
        bench.post({{0, 100}});
        bench.receive(Opcode::send_only, 100, 80);
    });
    bench.run();
    REQUIRE(bench.acks.size() == 3);
    CHECK(bench.acks[0].packet.aeth.syndrome == (0x20 | 12));
    CHECK(bench.acks[1].packet.aeth.syndrome == (0x20 | 12));
    CHECK(bench.acks[2].packet.aeth.syndrome == 0x1F);
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.status == WcStatus::success);
}

// MTU 1024: a first or middle packet is full, a last one has 1 to 1024 bytes, and it needs a beginning [X5].
void refuses(Opcode opcode, std::uint32_t length) {
    ResponderBench bench;
    bench.post({{0, 5000}});
    bench.at(0ns, [&] { bench.receive(opcode, 100, length); });
    bench.run();
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.aeth.syndrome == 0x61);
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    CHECK(bench.receives.queue.size() == 1);  // none was taken
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("responder: a first packet that is not full is refused", "[X5]") {
    refuses(Opcode::send_first, 1023);
}

TEST_CASE("responder: a last packet without a first is refused", "[X5]") {
    refuses(Opcode::send_last, 10);
}

TEST_CASE("responder: a middle packet without a first is refused", "[X5]") {
    refuses(Opcode::send_middle, 1024);
}

TEST_CASE("responder: an only packet longer than the MTU is refused", "[X5]") {
    refuses(Opcode::send_only, 1028);
}

TEST_CASE("responder: a first packet in the middle of a message is refused, and its receive with it", "[X5]") {
    ResponderBench bench;
    bench.post({{0, 5000}});
    bench.post({{0, 5000}});
    bench.at(0ns, [&] {
        bench.receive(Opcode::send_first, 100, 1024);
        bench.receive(Opcode::send_only, 101, 8);
    });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].cqe.status == WcStatus::loc_qp_op);
    CHECK(bench.acks.back().packet.aeth.syndrome == 0x61);
    CHECK(bench.acks.back().packet.psn == Psn{101});
}

}  // namespace ndsim::test::nak_test

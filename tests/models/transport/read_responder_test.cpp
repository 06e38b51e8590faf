// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/peer_read_bench.hpp"

namespace ndsim::test::read_responder_test {

using Psns = std::vector<std::uint32_t>;

TEST_CASE("responder: a Read is answered with the data, packet by packet", "[X7][X17]") {
    PeerReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 512, 2500); });
    bench.at(1us, [&] { bench.read(103, 0, 0, bench.protection.bad); });  // empty: the key is not checked
    bench.at(2us, [&] {
        REQUIRE(bench.psns() == Psns{100, 101, 102, 103});
        const Opcode opcodes[] = {Opcode::read_response_first, Opcode::read_response_middle, Opcode::read_response_last,
                                  Opcode::read_response_only};
        const std::uint32_t lengths[] = {1024, 1024, 452, 0};
        for (std::size_t i = 0; i < 4; ++i) {
            const Packet& packet = bench.egress.sent[i].packet;
            CHECK(packet.opcode == opcodes[i]);
            CHECK(packet.payload_bytes == lengths[i]);
            CHECK(packet.destination == QpNum{0x99});
            CHECK(packet.to == HostId{5});
            CHECK(packet.aeth.msn == (i < 3 ? 1 : 2));
            if (lengths[i] > 0) {
                CHECK(bench.payload(i) == pattern(lengths[i], static_cast<std::uint32_t>(512 + 1024 * i) % 251));
            }
        }
        bench.leave(4);
    });
    bench.run();
    CHECK(bench.acks.empty());  // the responses are the acknowledgement
    CHECK(bench.completions.seen.empty());
    CHECK(bench.payloads.in_use() == 0);
    CHECK(bench.rx_buffer.total() == 2 * 98_B);
    check_at_rest(bench.responder);
    check_at_rest(bench.reads);
}

TEST_CASE("responder: a Read with a bad key is refused", "[X26]") {
    PeerReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 0, 2000, bench.protection.bad); });
    bench.run();
    CHECK(bench.egress.sent.empty());
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.aeth.syndrome == 0x62);
    CHECK(bench.acks[0].packet.psn == Psn{100});
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    CHECK(bench.protection.asked.at(0).access == kRemoteRead);
}

TEST_CASE("responder: one Read more than agreed is an invalid request", "[X29][limit]") {
    PeerReadBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 5; ++i) {
            bench.read(100 + i, 0, 8);
        }
    });
    bench.at(1us, [&] { bench.leave(4); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 103});
    REQUIRE_FALSE(bench.acks.empty());
    CHECK(bench.acks.back().packet.aeth.syndrome == 0x61);
    CHECK(bench.acks.back().packet.psn == Psn{104});
    CHECK(bench.faults.failed.size() == 1);
}

TEST_CASE("responder: a Read that is answered makes place for the next", "[X29][limit]") {
    PeerReadBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 4; ++i) {
            bench.read(100 + i, 0, 8);
        }
    });
    bench.at(1us, [&] {
        bench.leave(1);
        bench.read(104, 0, 8);
    });
    bench.at(2us, [&] { bench.leave(4); });
    bench.run();
    CHECK(bench.psns().size() == 5);
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("responder: a key that dies in the middle of a Read ends it with a NAK in place of the response", "[X41]") {
    PeerReadBench bench;
    bench.egress.room = 2 * 1110_B;  // 86 + 1024 each
    bench.at(0ns, [&] { bench.read(100, 0, 3072, MrKey{5}); });
    bench.at(1us, [&] {
        bench.protection.bad = MrKey{5};
        bench.egress.room = 1_MiB;
        bench.reads.tx_room();
        CHECK(bench.acks.empty());
    });
    bench.at(2us, [&] { bench.leave(2); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101});
    REQUIRE_FALSE(bench.acks.empty());
    CHECK(bench.acks.back().packet.aeth.syndrome == 0x62);
    CHECK(bench.acks.back().packet.psn == Psn{102});
    CHECK(bench.acks.back().at == 2us);  // behind the responses
    CHECK(bench.faults.failed.size() == 1);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("responder: acknowledgements keep their place between responses", "[X13]") {
    PeerReadBench bench;
    bench.post({{0, 100}});
    bench.at(0ns, [&] {
        bench.read(100, 0, 2000);
        bench.receive(Opcode::send_only, 102, 8);
    });
    bench.at(1us, [&] {
        for (const auto& ack : bench.acks) {
            CHECK(ack.packet.psn == Psn{99});  // 100 is not answered yet
        }
        bench.leave(2);
    });
    bench.run();
    CHECK(bench.acks.back().packet.psn == Psn{102});
    CHECK(bench.acks.back().at == 1us);
}

TEST_CASE("responder: queue pairs share the way out, response by response") {
    PeerReadBench bench;
    QpAttributes attributes;
    attributes.qp = kQp2;
    attributes.pd = kPd;
    QpConnection connection;
    connection.peer = QpNum{0x9A};
    connection.mtu = 1024;
    connection.expected_psn = Psn{100};
    connection.inbound_reads = 4;
    bench.responder.create_qp(attributes);
    bench.responder.connect_qp(kQp2, connection);
    bench.egress.room = 0_B;
    bench.at(0ns, [&] {
        bench.read(100, 0, 3072);
        Packet packet;
        packet.opcode = Opcode::read_request;
        packet.psn = Psn{100};
        packet.destination = kQp2;
        packet.remote = Memory::kBase;
        packet.dma_length = 2048;
        packet.key = MrKey{1};
        bench.responder.receive(packet, {0ns, 0ns});
        bench.egress.room = 1_MiB;
        bench.reads.tx_room();
    });
    bench.run();
    std::vector<QpNum> order;
    for (const auto& sent : bench.egress.sent) {
        order.push_back(sent.packet.source);
    }
    CHECK(order == std::vector<QpNum>{kQp, kQp2, kQp, kQp2, kQp});
}

TEST_CASE("responder: how long responses wait for room or for DMA is counted") {
    PeerReadBench bench;
    bench.egress.room = 0_B;
    bench.at(100ns, [&] { bench.read(100, 0, 64); });
    bench.at(350ns, [&] {
        bench.egress.room = 1_MiB;
        bench.dma.refuses = true;
        bench.reads.tx_room();
    });
    bench.at(500ns, [&] { bench.dma.space(); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 1);
    CHECK(Picoseconds(statistic(bench.reads, "tx_fifo")) == 250ns);
    CHECK(Picoseconds(statistic(bench.reads, "tags")) == 150ns);
}

TEST_CASE("responder: a queue pair that fails sends no more of its Reads", "[X33]") {
    PeerReadBench bench;
    bench.egress.room = 1110_B;
    bench.at(0ns, [&] { bench.read(100, 0, 3072); });
    bench.at(1us, [&] {
        bench.faults.qp_failed(kQp, WcStatus::wr_flush);
        bench.egress.room = 1_MiB;
        bench.reads.tx_room();
        bench.leave(1);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100});
    CHECK(bench.egress.acks.empty());
    CHECK(bench.payloads.in_use() == 0);
    check_at_rest(bench.reads);
}

}  // namespace ndsim::test::read_responder_test

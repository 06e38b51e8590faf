// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/responder_bench.hpp"

namespace {

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

using Psns = std::vector<std::uint32_t>;

// A responder whose memory holds a pattern; MTU 1024, at most 4 Reads of the peer. Payload is there at once. Responses
// leave when the test says so.
struct ReadBench : ResponderBench {
    ReadBench() {
        dma.latency = 0ns;
        memory.data = pattern(memory.data.size());
    }
    void read(std::uint32_t psn, std::uint64_t offset, std::uint32_t length, MrKey key = MrKey{1}) {
        Packet packet;
        packet.remote = Memory::kBase + offset;
        packet.dma_length = length;
        packet.key = key;
        packet.opcode = Opcode::read_request;
        packet.psn = Psn{psn};
        packet.destination = kQp;
        packet.request = {HostId{1}, 1};
        responder.receive(packet, {now(), now()});
    }
    // The next n responses are on the lane.
    void leave(std::size_t n) {
        for (; n > 0; --n, ++gone) {
            const Packet packet = egress.sent.at(gone).packet;
            responder.response_sent(packet);
            payloads.give(packet.payload);
        }
    }
    [[nodiscard]] Psns psns() const {
        Psns result;
        for (const auto& sent : egress.sent) {
            result.push_back(sent.packet.psn.value());
        }
        return result;
    }
    [[nodiscard]] std::vector<std::byte> payload(std::size_t n) {
        const Packet& packet = egress.sent.at(n).packet;
        const std::byte* const data = payloads.data(packet.payload);
        return {data, data + packet.payload_bytes};
    }
    std::size_t gone = 0;
};

TEST_CASE("responder: a Read is answered with the data, packet by packet", "[X7][X17]") {
    ReadBench bench;
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
    CHECK(bench.drained() == 2 * 98_B);
    check_at_rest(bench.responder);
    check_at_rest(bench.reads);
}

TEST_CASE("responder: a Read with a bad key is refused", "[X26]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 0, 2000, bench.protection.bad); });
    bench.run();
    CHECK(bench.egress.sent.empty());
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.aeth.syndrome == 0x62);
    CHECK(bench.acks[0].packet.psn == Psn{100});
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    CHECK(bench.protection.asked.at(0).access == kRemoteRead);
}

TEST_CASE("responder: one Read more than agreed is an invalid request", "[X29]") {
    ReadBench bench;
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

TEST_CASE("responder: a Read that is answered makes place for the next", "[X29]") {
    ReadBench bench;
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

TEST_CASE("responder: a Read that comes again is answered again, whole or in part", "[X11]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 512, 2500); });
    bench.at(1us, [&] { bench.read(100, 512, 2500); });
    bench.at(2us, [&] { bench.read(101, 512 + 1024, 2500 - 1024); });
    bench.at(3us, [&] { bench.read(101, 512 + 1024, 100); });
    bench.at(4us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102, 100, 101, 102, 101, 102, 101});
        CHECK(bench.payload(6) == pattern(1024, (512 + 1024) % 251));
        CHECK(bench.egress.sent[6].packet.opcode == Opcode::read_response_first);
        CHECK(bench.payload(8) == pattern(100, (512 + 1024) % 251));
        CHECK(bench.egress.sent[8].packet.opcode == Opcode::read_response_only);
        CHECK(bench.egress.sent[8].packet.aeth.msn == 1);  // executed once
        bench.leave(9);
    });
    bench.run();
    CHECK(statistic(bench.responder, "duplicates") == 3);
    CHECK(statistic(bench.responder, "messages") == 1);
    CHECK(bench.payloads.in_use() == 0);
}

// A Read that comes again, of [101, ...) of a Read of 2500 bytes at 512 with PSNs 100 to 102.
void is_dropped(std::uint32_t psn, std::uint64_t offset, std::uint32_t length, MrKey key = MrKey{1}) {
    ReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 512, 2500); });
    bench.at(1us, [&] { bench.read(psn, offset, length, key); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102});
    CHECK(bench.egress.acks.empty());  // no answer at all
    CHECK(bench.faults.failed.empty());
    CHECK(bench.drained() == 2 * 98_B);
}

TEST_CASE("responder: a repeated Read beyond the end of the first is dropped", "[X11]") {
    is_dropped(101, 512 + 1024, 2500 - 1023);
}

TEST_CASE("responder: a repeated Read at another place than its PSN says is dropped", "[X11]") {
    is_dropped(101, 512, 100);
}

TEST_CASE("responder: a repeated Read with another key is dropped", "[X11]") {
    is_dropped(100, 512, 2500, MrKey{2});
}

TEST_CASE("responder: a repeated Read of a PSN before the first one is dropped", "[X11]") {
    is_dropped(99, 512, 100);
}

TEST_CASE("responder: the last Reads are remembered, as many as may be outstanding", "[X11]") {
    ReadBench bench;
    for (std::uint32_t i = 0; i < 5; ++i) {
        bench.at(i * 1us, [&bench, i] { bench.read(100 + i, 0, 8); });
        bench.at(i * 1us + 500ns, [&bench] { bench.leave(1); });
    }
    bench.at(5us, [&] {
        for (std::uint32_t i = 0; i < 5; ++i) {
            bench.read(100 + i, 0, 8);
        }
    });
    bench.run();
    // Four of them; the oldest one is forgotten.
    CHECK(bench.psns() == Psns{100, 101, 102, 103, 104, 101, 102, 103, 104});
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("responder: Reads that come again do not count against the limit", "[X29][X11]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 4; ++i) {
            bench.read(100 + i, 0, 8);
            bench.read(100 + i, 0, 8);  // the link has repeated it
        }
    });
    bench.at(1us, [&] {
        bench.leave(1);  // the peer has the data of the first Read, and may send another
        bench.read(104, 0, 8);
    });
    bench.at(2us, [&] { bench.leave(8); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 100, 101, 101, 102, 102, 103, 103, 104});
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("responder: an old Read whose key is gone by now is dropped, and harms nobody", "[X11][X41]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 0, 2000, MrKey{5}); });
    bench.at(1us, [&] {
        bench.leave(2);
        bench.protection.bad = MrKey{5};     // a SendAndInvalidate behind a fence
        bench.read(100, 0, 2000, MrKey{5});  // the link has held it back
        bench.post({{0, 100}});
        bench.receive(Opcode::send_only, 102, 8);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101});
    CHECK(bench.faults.failed.empty());
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.psn == Psn{102});
}

TEST_CASE("responder: a key that dies in the middle of a Read ends it with a NAK in place of the response", "[X41]") {
    ReadBench bench;
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

TEST_CASE("responder: a key that dies in the middle of a repeated Read ends it without a word", "[X11]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 0, 2048, MrKey{5}); });
    bench.at(1us, [&] {
        bench.leave(2);
        bench.egress.room = 1110_B;
        bench.read(100, 0, 2048, MrKey{5});
        bench.read(102, 0, 8);
    });
    bench.at(2us, [&] {
        bench.protection.bad = MrKey{5};
        bench.egress.room = 1_MiB;
        bench.reads.tx_room();
    });
    bench.at(3us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 100, 102});
        bench.leave(2);
        bench.post({{0, 100}});
        bench.receive(Opcode::send_only, 103, 8);
    });
    bench.run();
    CHECK(bench.faults.failed.empty());
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.psn == Psn{103});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("responder: acknowledgements keep their place between responses", "[X13]") {
    ReadBench bench;
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
    ReadBench bench;
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

TEST_CASE("responder: a queue pair that fails sends no more of its Reads", "[X33]") {
    ReadBench bench;
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

}  // namespace

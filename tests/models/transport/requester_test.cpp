// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/requester_bench.hpp"

namespace ndsim::test::requester_test {

TEST_CASE("requester: a message is cut at the MTU, every packet takes one PSN", "[X5][X57]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        CHECK(bench.send(bench.message({{64, 2500}}, kWqeSignaled | kWqeSolicited)).turn == Turn::message_done);
    });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 3);
    const Opcode opcodes[] = {Opcode::send_first, Opcode::send_middle, Opcode::send_last};
    const std::uint32_t lengths[] = {1024, 1024, 452};
    for (std::uint32_t i = 0; i < 3; ++i) {
        const Packet& packet = bench.egress.sent[i].packet;
        CHECK(packet.opcode == opcodes[i]);
        CHECK(packet.psn == Psn{100 + i});
        CHECK(packet.payload_bytes == lengths[i]);
        CHECK(packet.destination == QpNum{0x99});
        CHECK(packet.to == HostId{5});
        CHECK(packet.source == kQp);
        CHECK(packet.ack_request == (i == 2));
        CHECK(packet.solicited == (i == 2));  // SE is carried on the last packet only
        CHECK(bench.payload(i) == pattern(lengths[i], 64 + i * 1024));
    }
}

TEST_CASE("requester: a write says where it goes with its first packet", "[X2][X5]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        bench.send(bench.write(2500, {Address{0x12345}, MrKey{0x77}}));
        bench.send(bench.write(10, {Address{0x200}, MrKey{0x78}}));
    });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 4);
    const Opcode opcodes[] = {Opcode::write_first, Opcode::write_middle, Opcode::write_last, Opcode::write_only};
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(bench.egress.sent[i].packet.opcode == opcodes[i]);
        CHECK(bench.egress.sent[i].packet.psn == Psn{100 + i});
    }
    const Packet& first = bench.egress.sent[0].packet;
    CHECK(first.remote == Address{0x12345});
    CHECK(first.key == MrKey{0x77});
    CHECK(first.dma_length == 2500);  // of the whole message
    CHECK(wire_bytes(first) == Bytes{82 + 16 + 1024});
    CHECK(wire_bytes(bench.egress.sent[1].packet) == Bytes{82 + 1024});
    CHECK(bench.egress.sent[3].packet.dma_length == 10);
}

TEST_CASE("requester: exactly one MTU is one packet, one byte more is two", "[limit]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        bench.send(bench.message({{0, 1024}}));
        bench.send(bench.message({{0, 1025}}));
    });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 3);
    CHECK(bench.egress.sent[0].packet.opcode == Opcode::send_only);
    CHECK(bench.egress.sent[1].packet.payload_bytes == 1024);
    CHECK(bench.egress.sent[2].packet.payload_bytes == 1);
    CHECK(bench.egress.sent[2].packet.opcode == Opcode::send_last);
}

TEST_CASE("requester: asks for an acknowledgement every 8 packets and with the last", "[limit]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        bench.send(bench.message({{0, 20 * 1024}}));
        bench.send(bench.message({{0, 9 * 1024}}));
    });
    bench.run();
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < bench.egress.sent.size(); ++i) {
        if (bench.egress.sent[i].packet.ack_request) {
            asked.push_back(i);
        }
    }
    CHECK(asked == std::vector<std::size_t>{7, 15, 19, 27, 28});
}

TEST_CASE("requester: PSNs wrap after 2^24 - 1 [wire.md 2.7]") {
    RequesterBench bench({}, Psn{0xFF'FFFF});
    bench.at(0ns, [&] {
        bench.send(bench.message({{0, 2048}}));
        bench.send(bench.message({{0, 1}}));
    });
    bench.at(1us, [&] { bench.ack(0); });
    bench.at(2us, [&] { bench.ack(1); });
    bench.run();
    CHECK(bench.egress.sent.at(0).packet.psn == Psn{0xFF'FFFF});
    CHECK(bench.egress.sent.at(1).packet.psn == Psn{0});
    REQUIRE(bench.completions.seen.size() == 2);
    CHECK(bench.completions.seen[0].told == 1us);
    CHECK(bench.completions.seen[1].told == 2us);
}

TEST_CASE("requester: an empty message is one packet without payload and without a read", "[X6]") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        bench.send(bench.message({}));
        bench.send(bench.message({{0, 0, MrKey{0xBAD}}}));  // zero length: no check of the key
    });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 2);
    for (const auto& sent : bench.egress.sent) {
        CHECK(sent.packet.opcode == Opcode::send_only);
        CHECK(sent.packet.payload_bytes == 0);
        CHECK(sent.packet.ack_request);
        CHECK(sent.ready.end == RequesterBench::kPipe);
    }
    CHECK(bench.egress.sent[1].packet.psn == Psn{101});
    CHECK(bench.dma.reads.empty());
}

TEST_CASE("requester: a packet's payload is gathered over entries, empty ones among them") {
    RequesterBench bench;
    bench.at(0ns, [&] {
        bench.send(bench.message({{500, 0}, {1000, 100}, {0, 0}, {3000, 924}, {5000, 10}, {6000, 0}}));
    });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 2);
    REQUIRE(bench.dma.reads.size() == 2);
    CHECK(bench.dma.reads[0].pieces.size() == 2);
    CHECK(bench.dma.reads[1].pieces.size() == 1);
    auto expected = pattern(100, 1000);
    const auto second = pattern(924, 3000);
    expected.insert(expected.end(), second.begin(), second.end());
    CHECK(bench.payload(0) == expected);
    CHECK(bench.payload(1) == pattern(10, 5000));
}

TEST_CASE("requester: a packet is built 35 ns after its payload is there, inline ones at once", "[formula]") {
    RequesterBench bench;
    bench.dma.latency.reset();
    bench.at(0ns, [&] { bench.send(bench.message({{0, 1000}})); });
    bench.at(200ns, [&] { bench.dma.answer(0, {300ns, 350ns}); });
    bench.at(1us, [&] { bench.send(bench.inline_message(64, 3)); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 2);
    CHECK(bench.egress.sent[0].at == 200ns);  // handed on as soon as the times are known
    CHECK(bench.egress.sent[0].ready.start == 335ns);
    CHECK(bench.egress.sent[0].ready.end == 385ns);
    CHECK(bench.egress.sent[1].ready.start == 1035ns);
    CHECK(bench.payload(1) == pattern(64, 3));
    CHECK(bench.protection.asked.size() == 1);  // inline data has no key
    CHECK(bench.work.built == std::vector<Picoseconds>{385ns, 1035ns});
    check_at_rest(bench.requester);
}

TEST_CASE("requester: inline data larger than the MTU goes in several packets") {
    RequesterBench bench;
    QpConnection connection;
    connection.mtu = 256;
    bench.requester.connect_qp(kQp, connection);
    bench.at(0ns, [&] { bench.send(bench.inline_message(600, 9)); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 3);
    CHECK(bench.payload(1) == pattern(256, 9 + 256));
    CHECK(bench.payload(2) == pattern(88, (9 + 512) % 251));
}

TEST_CASE("requester: a packet that is ready earlier does not overtake one before it") {
    RequesterBench bench;
    bench.dma.latency.reset();
    bench.at(0ns, [&] {
        bench.send(bench.message({{0, 1000}}));
        bench.send(bench.inline_message(16, 0));
        bench.send(bench.message({{0, 100}}));
    });
    bench.at(100ns, [&] { bench.dma.answer(1, {110ns, 120ns}); });
    bench.at(150ns, [&] { CHECK(bench.egress.sent.empty()); });
    bench.at(200ns, [&] { bench.dma.answer(0, {300ns, 350ns}); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(bench.egress.sent[i].packet.psn == Psn{100 + static_cast<std::uint32_t>(i)});
        CHECK(bench.egress.sent[i].ready.start >= 335ns);
    }
}

TEST_CASE("requester: a packet waits for room in the TX FIFO", "[limit]") {
    RequesterBench bench;
    bench.egress.room = 1106_B + 1106_B;
    const Wqe& wqe = bench.message({{0, 2500}});
    bench.at(0ns, [&] {
        const auto result = bench.send(wqe);
        CHECK(result.turn == Turn::blocked);
        CHECK(result.stall == Stall::tx_fifo);
    });
    bench.at(1us, [&] {
        bench.egress.room += 534_B;  // 82 + 452
        CHECK(bench.go_on().turn == Turn::message_done);
    });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 3);
    CHECK(bench.egress.sent[2].packet.psn == Psn{102});
    CHECK(bench.egress.room == 0_B);
}

TEST_CASE("requester: no tags, no packet, and nothing is kept") {
    RequesterBench bench;
    bench.dma.refuses = true;
    const Bytes room = bench.egress.room;
    bench.at(0ns, [&] {
        const auto result = bench.send(bench.message({{100, 10}, {300, 20}}));
        CHECK(result.turn == Turn::blocked);
        CHECK(result.stall == Stall::tags);
        CHECK(bench.egress.room == room);
        CHECK(bench.payloads.in_use() == 0);
    });
    bench.at(1us, [&] {
        bench.dma.space();
        CHECK(bench.work.resumed.size() == 1);
        CHECK(bench.go_on().turn == Turn::message_done);
    });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 1);
    CHECK(bench.egress.sent[0].packet.psn == Psn{100});
    auto expected = pattern(10, 100);
    const auto second = pattern(20, 300 % 251);
    expected.insert(expected.end(), second.begin(), second.end());
    CHECK(bench.payload(0) == expected);
    check_at_rest(bench.requester);
}

TEST_CASE("requester: no more packets are unacknowledged than the window allows [wire.md 2.4]") {
    TransportParams params;
    params.psn_window = 10;
    RequesterBench bench(params);
    bench.at(0ns, [&] {
        const auto result = bench.send(bench.message({{0, 12 * 1024}}));
        CHECK(result.turn == Turn::blocked);
        CHECK(result.stall == Stall::psn_window);
    });
    bench.at(1us, [&] {
        CHECK(bench.egress.sent.size() == 10);
        bench.ack(107);
        CHECK(bench.work.resumed_qps == std::vector<QpNum>{kQp});
        CHECK(bench.go_on().turn == Turn::message_done);
    });
    bench.at(2us, [&] { bench.ack(111); });
    bench.run();
    CHECK(bench.egress.sent.size() == 12);
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("requester: a window smaller than the interval of acknowledgements asks for one before it shuts") {
    TransportParams params;
    params.psn_window = 3;
    RequesterBench bench(params);
    bench.at(0ns, [&] { CHECK(bench.send(bench.message({{0, 7 * 1024}})).turn == Turn::blocked); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 3);
    CHECK(bench.egress.sent[2].packet.ack_request);
}

}  // namespace ndsim::test::requester_test

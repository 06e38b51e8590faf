// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/queue_bench.hpp"

namespace ndsim::test::retransmit_buffer_test {

// Of 1024 bytes: 82 more on the lane.
constexpr Bytes kPacket = 1106_B;

TransportParams with_buffer(Bytes size) {
    TransportParams params = QueueBench::no_timeout();
    params.retransmit_buffer = size;
    return params;
}

// A read of payload takes 400 ns. WQEs cost nothing here.
struct KeepBench : QueueBench {
    explicit KeepBench(Bytes size, const QpConnection& connection = plain_connection())
        : QueueBench(with_buffer(size), connection) {}

    [[nodiscard]] Pool& kept() const { return *retransmit_buffer.pools().front(); }
    [[nodiscard]] Bytes in_use() const { return {kept().occupancy().level()}; }
    [[nodiscard]] std::uint64_t from_buffer() const { return statistic(requester, "resent_from_buffer"); }
    [[nodiscard]] std::uint64_t refetched() const { return statistic(requester, "resent_refetched"); }
    void check_empty() {
        check_at_rest(retransmit_buffer);
        check_at_rest(requester);
        check_at_rest(completer);
        check_payloads();
    }
};

using Left = KeepBench::Left;

TEST_CASE("retransmit buffer: without one a lost packet is read again", "[X8]") {
    KeepBench bench(0_B);
    bench.at(0ns, [&] { bench.post_send(1024); });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(100); });
    bench.run();
    // 1.4 us = 1 us + 400 ns of reading the payload.
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 400ns}, {Opcode::send_only, 100, 1400ns}});
    CHECK(bench.dma.reads.size() == 2);
    CHECK(bench.refetched() == 1);
    CHECK(bench.from_buffer() == 0);
    bench.check_empty();
}

TEST_CASE("retransmit buffer: a lost packet that was kept is sent again at once", "[X8]") {
    KeepBench bench(1_MiB);
    bench.at(0ns, [&] { bench.post_send(1024); });
    bench.at(1us, [&] {
        CHECK(bench.in_use() == kPacket);
        bench.ack(100, Aeth::kNakSequence);
    });
    bench.at(2us, [&] {
        bench.ack(100);
        CHECK(bench.in_use() == 0_B);
    });
    bench.run();
    // The 400 ns of reading earlier than without a buffer; built 35 ns after its issue.
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 400ns}, {Opcode::send_only, 100, 1us}});
    CHECK(bench.egress.sent.at(1).ready.start == 1035ns);
    CHECK(bench.egress.sent[1].ready.end == 1035ns);
    CHECK(bench.egress.sent[1].packet.payload == bench.egress.sent[0].packet.payload);  // the same bytes, no copy
    CHECK(bench.payload(1) == pattern(1024));
    CHECK(bench.dma.reads.size() == 1);
    CHECK(bench.from_buffer() == 1);
    CHECK(bench.refetched() == 0);
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: what finds no room is read again, and the order stays", "[X8]") {
    KeepBench bench(2 * kPacket + 1105_B);  // a third packet would need one byte more
    bench.at(0ns, [&] { bench.post_send(5 * 1024); });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(104); });
    bench.run();
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_first, 100, 400ns},
                                            {Opcode::send_middle, 101, 400ns},
                                            {Opcode::send_middle, 102, 400ns},
                                            {Opcode::send_middle, 103, 400ns},
                                            {Opcode::send_last, 104, 400ns},
                                            {Opcode::send_first, 100, 1us},
                                            {Opcode::send_middle, 101, 1us},
                                            {Opcode::send_middle, 102, 1400ns},
                                            {Opcode::send_middle, 103, 1400ns},
                                            {Opcode::send_last, 104, 1400ns}});
    for (std::uint32_t i = 0; i < 5; ++i) {
        CHECK(bench.payload(5 + i) == pattern(1024, 1024 * i % 251));
    }
    CHECK(bench.from_buffer() == 2);
    CHECK(bench.refetched() == 3);
    CHECK(bench.kept().occupancy().high_water() == 2 * kPacket.count);
    CHECK(statistic(bench.retransmit_buffer, "no_room") == 6);  // three, twice
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: behind the first packet that is missing everything is read again", "[X8]") {
    KeepBench bench(2 * kPacket);
    bench.at(0ns, [&] { bench.post_send(4 * 1024); });  // 100 and 101 are kept
    bench.at(1us, [&] {
        bench.ack(100);
        CHECK(bench.in_use() == kPacket);
        bench.post_send(1024);  // 104 finds the room of 100
    });
    bench.at(2us, [&] {
        CHECK(bench.in_use() == 2 * kPacket);
        bench.ack(101, Aeth::kNakSequence);
        CHECK(bench.in_use() == kPacket);  // that of 104 is given back
    });
    bench.at(3us, [&] {
        CHECK(bench.in_use() == 2 * kPacket);  // and taken by 102, which is read again first
        bench.ack(104);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 103, 104, 101, 102, 103, 104});
    CHECK(bench.from_buffer() == 1);
    CHECK(bench.refetched() == 3);
    CHECK(bench.dma.reads.size() == 8);
    bench.check_empty();
}

TEST_CASE("retransmit buffer: a packet that is still being read is not kept yet, and read again", "[X8]") {
    KeepBench bench(1_MiB);
    bench.dma.latency.reset();
    bench.at(0ns, [&] { bench.post_send(3 * 1024); });
    bench.at(500ns, [&] { bench.dma.answer(0, {500ns, 500ns}); });
    bench.at(1us, [&] {
        bench.ack(100, Aeth::kNakSequence);  // 101 and 102 are being read
        CHECK(bench.psns() == Psns{100, 100});
        CHECK(bench.dma.reads.size() == 5);
    });
    bench.at(2us, [&] {
        for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}}) {
            bench.dma.answer(n, {2us, 2us});
        }
        CHECK(bench.in_use() == 3 * kPacket);
        bench.ack(102);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 100, 101, 102});
    CHECK(bench.from_buffer() == 1);
    CHECK(bench.refetched() == 2);
    bench.check_empty();
}

TEST_CASE("retransmit buffer: a packet does not leave again before it was built for the first time") {
    KeepBench bench(1_MiB);
    bench.dma.latency.reset();
    bench.at(0ns, [&] { bench.post_send(1024); });
    bench.at(500ns, [&] { bench.dma.answer(0, {600ns, 900ns}); });  // told ahead of time
    bench.at(550ns, [&] { bench.ack(100, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(100); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 2);
    CHECK(bench.egress.sent[1].ready.start == 635ns);
    CHECK(bench.egress.sent[1].ready.end == 935ns);
    bench.check_empty();
}

// The application writes to its buffer before the message is acknowledged, at 0.9 us.
std::byte first_byte_sent_again(Bytes buffer) {
    KeepBench bench(buffer);
    bench.at(0ns, [&] { bench.post_send(1024); });
    bench.at(900ns, [&] { bench.memory.data[0] = std::byte{99}; });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(100); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 2);
    return bench.payload(1).at(0);
}

TEST_CASE("retransmit buffer: what is sent again carries the bytes of the first time") {
    CHECK(first_byte_sent_again(1_MiB) == std::byte{0});
}

TEST_CASE("retransmit buffer: without one what is sent again carries the bytes that are there by then") {
    CHECK(first_byte_sent_again(0_B) == std::byte{99});
}

TEST_CASE("retransmit buffer: a key that has died meanwhile does not concern what was kept", "[X31]") {
    KeepBench bench(1_MiB);
    bench.at(0ns, [&] { bench.post_send(80, kWqeSignaled, kQp, MrKey{5}); });
    bench.at(1us, [&] {
        bench.protection.bad = MrKey{5};
        bench.ack(100, Aeth::kNakSequence);
    });
    bench.at(2us, [&] { bench.ack(100); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 100});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: of a Read only what has not come is asked for again", "[X14]") {
    KeepBench bench(1_MiB);
    bench.at(0ns, [&] {
        bench.post_read(2500);  // 100, 101, 102
        bench.post_send(1024);  // 103
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 100, 1024); });
    bench.at(2us, [&] { bench.ack(101, Aeth::kNakSequence); });
    bench.at(3us, [&] {
        bench.respond(Opcode::read_response_first, 101, 1024);
        bench.respond(Opcode::read_response_last, 102, 452, 1);
    });
    bench.at(4us, [&] { bench.ack(103); });
    bench.run();
    CHECK(bench.left() == std::vector<Left>{{Opcode::read_request, 100, 0ns},
                                            {Opcode::send_only, 103, 400ns},
                                            {Opcode::read_request, 101, 2us},
                                            {Opcode::send_only, 103, 2us}});
    CHECK(bench.egress.sent.at(2).packet.remote == Address{0x7000'0000} + 1024);
    CHECK(bench.egress.sent[2].packet.dma_length == 1476);
    CHECK(bench.from_buffer() == 2);
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: what is kept waits for a peer that is not ready, too", "[X22]") {
    KeepBench bench(1_MiB);
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, Aeth::kRnrNak | 1); });  // 10 us
    bench.at(5us, [&] { bench.post_send(80); });
    bench.at(12us, [&] { bench.ack(102); });
    bench.run();
    CHECK(bench.left() == std::vector<Left>{{Opcode::send_only, 100, 400ns},
                                            {Opcode::send_only, 101, 400ns},
                                            {Opcode::send_only, 100, 11us},
                                            {Opcode::send_only, 101, 11us},
                                            {Opcode::send_only, 102, 11400ns}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: what is acknowledged before it is sent again is not", "[X10]") {
    KeepBench bench(1_MiB);
    bench.at(0ns, [&] { bench.post_send(3 * 1024); });
    bench.at(1us, [&] {
        bench.egress.room = 0_B;
        bench.ack(100, Aeth::kNakSequence);
    });
    bench.at(2us, [&] { bench.ack(101); });  // the packets were only late
    bench.at(3us, [&] {
        bench.egress.room = 1_MiB;
        bench.engine.serve(kQp);
    });
    bench.at(4us, [&] { bench.ack(102); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 102});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: with everything acknowledged meanwhile nothing is sent again", "[X10]") {
    KeepBench bench(1_MiB);
    bench.at(0ns, [&] { bench.post_send(2 * 1024); });
    bench.at(1us, [&] {
        bench.egress.room = 0_B;
        bench.ack(100, Aeth::kNakSequence);
    });
    bench.at(2us, [&] { bench.ack(101); });
    bench.at(3us, [&] {
        bench.egress.room = 1_MiB;
        bench.post_send(80);  // the next one goes on behind it
    });
    bench.at(4us, [&] { bench.ack(102); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: a message of which only a part was issued goes on behind what is kept", "[X8]") {
    KeepBench bench(1_MiB);
    bench.egress.room = 3 * kPacket;
    bench.at(0ns, [&] { bench.post_send(5000); });  // 100-104, of which three find room
    bench.at(1us, [&] {
        bench.egress.room = 1_MiB;
        bench.ack(101, Aeth::kNakSequence);
    });
    bench.at(2us, [&] { bench.ack(104); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102, 101, 102, 103, 104});
    CHECK(bench.dma.reads.size() == 5);  // each packet once
    CHECK(bench.payload(5) == pattern(1024, 3072 % 251));
    bench.check_empty();
}

TEST_CASE("retransmit buffer: a local operation between kept packets is done once", "[X8][X46]") {
    KeepBench bench(1_MiB);
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_local(WqeOpcode::fast_register, MrKey{0x500});
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.ack(100, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(101); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 100, 101});
    CHECK(bench.keys.done == std::vector<MrKey>{MrKey{0x500}});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}, {3, WcStatus::success}});
    bench.check_empty();
}

TEST_CASE("retransmit buffer: a queue pair that fails gives back its room, and queue pairs share it") {
    KeepBench bench(3 * kPacket);
    bench.at(0ns, [&] {
        bench.post_send(2 * 1024, kWqeSignaled, kQp);
        bench.post_send(2 * 1024, kWqeSignaled, kQp2);  // one packet of it is kept
    });
    bench.at(1us, [&] {
        CHECK(bench.in_use() == 3 * kPacket);
        bench.ack(100, Aeth::kNakRemoteAccess);
        CHECK(bench.in_use() == kPacket);
    });
    bench.at(2us, [&] { bench.ack(100, Aeth::kNakSequence, 0, kQp2); });
    bench.at(3us, [&] {
        CHECK(bench.in_use() == 2 * kPacket);
        bench.ack(101, Aeth::kAck, 0, kQp2);
    });
    bench.run();
    CHECK(bench.psns(kQp2) == Psns{100, 101, 100, 101});
    CHECK(bench.from_buffer() == 1);
    CHECK(bench.refetched() == 1);
    bench.check_empty();
}

TEST_CASE("retransmit buffer: PSNs wrap in what is kept", "[X8]") {
    QpConnection connection = KeepBench::plain_connection();
    connection.first_psn = Psn{0xFF'FFFE};
    KeepBench bench(4 * kPacket, connection);
    bench.at(0ns, [&] { bench.post_send(5 * 1024); });  // FFFFFE, FFFFFF, 0, 1, 2
    bench.at(1us, [&] { bench.ack(0xFF'FFFF, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(2); });
    bench.run();
    CHECK(bench.psns() == Psns{0xFF'FFFE, 0xFF'FFFF, 0, 1, 2, 0xFF'FFFF, 0, 1, 2});
    CHECK(bench.from_buffer() == 3);
    CHECK(bench.refetched() == 1);
    bench.check_empty();
}

}  // namespace ndsim::test::retransmit_buffer_test

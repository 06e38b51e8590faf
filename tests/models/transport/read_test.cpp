// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/read_bench.hpp"

namespace ndsim::test::read_test {

TEST_CASE("read: takes a PSN for each response, one at least", "[X7]") {
    ReadBench bench(ReadBench::no_timeout(), [] {
        QpConnection connection = ReadBench::plain_connection();
        connection.outbound_reads = 16;
        return connection;
    }());
    bench.at(0ns, [&] {
        for (const std::uint32_t length : {0U, 1U, 1024U, 1025U, 5000U}) {
            bench.post_read(length);
        }
        bench.post_send(8);
    });
    bench.run();
    // 1, 1, 1, 2 and 5 responses.
    CHECK(bench.psns() == Psns{100, 101, 102, 103, 105, 110});
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(bench.packet(i).opcode == Opcode::read_request);
        CHECK(bench.packet(i).payload_bytes == 0);
        CHECK(bench.packet(i).remote == Address{0x7000'0000});
        CHECK(bench.packet(i).key == MrKey{0x77});
    }
    CHECK(bench.packet(4).dma_length == 5000);
    CHECK(wire_bytes(bench.packet(4)) == 98_B);
}

// The first grain of a response is in at 1 us, its last byte at 1.3 us; in between the queue pair goes back.
TEST_CASE("read: one that goes back in the middle of a response asks for the next one", "[X12]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(2048); });  // 100, 101
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 100, 1024, 0, kQp, 300ns); });
    bench.at(1100ns, [&] { bench.ack(101, Aeth::kNakSequence); });
    bench.at(2us, [&] {
        REQUIRE(bench.psns() == Psns{100, 101});
        CHECK(bench.packet(1).dma_length == 1024);
        CHECK(bench.packet(1).remote == bench.packet(0).remote + 1024);
        bench.respond(Opcode::read_response_only, 101, 1024);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    check_at_rest(bench.completer);
}

TEST_CASE("read: PSNs wrap within a Read, and behind it", "[X7]") {
    QpConnection connection = ReadBench::plain_connection();
    connection.first_psn = Psn{0xFF'FFFF};
    ReadBench bench(ReadBench::no_timeout(), connection);
    bench.at(0ns, [&] {
        bench.post_read(3000);  // FFFFFF, 0, 1
        bench.post_send(8);     // 2
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 0xFF'FFFF, 1024); });
    bench.at(2us, [&] { bench.respond(Opcode::read_response_last, 1, 952); });  // 0 is lost
    bench.at(3us, [&] {
        CHECK(bench.psns() == Psns{0xFF'FFFF, 2, 0, 2});
        bench.respond(Opcode::read_response_first, 0, 1024);
        bench.respond(Opcode::read_response_last, 1, 952);
        bench.ack(2);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    check_at_rest(bench.completer);
}

TEST_CASE("read: the data goes to its entries, and the request completes with the last response", "[X7]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(2500); });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 100, 1024); });
    bench.at(2us, [&] { bench.respond(Opcode::read_response_middle, 101, 1024); });
    bench.at(3us, [&] {
        CHECK(bench.completions.seen.empty());
        bench.respond(Opcode::read_response_last, 102, 452);
    });
    bench.run();
    CHECK(bench.memory_at(0, 1024) == pattern(1024, 100));
    CHECK(bench.memory_at(1024, 1024) == pattern(1024, 101));
    CHECK(bench.memory_at(2048, 452) == pattern(452, 102));
    CHECK(bench.memory_at(2500, 1).front() == std::byte{0});
    REQUIRE(bench.completions.seen.size() == 1);
    CHECK(bench.completions.seen[0].told == 3us);
    CHECK(bench.completions.seen[0].behind_payload);
    CHECK(bench.completions.seen[0].cqe.opcode == WqeOpcode::read);
    bench.check_payloads();
    check_at_rest(bench.reads);
}

TEST_CASE("read: data counts as placed when it is visible in memory, not when it comes") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(1500); });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 100, 1024); });
    bench.at(2us, [&] { bench.respond(Opcode::read_response_last, 101, 476); });
    bench.run();
    CHECK(bench.reads.placed(kQp).bytes == 1500);
    CHECK(bench.reads.placed(kQp).last == 2us + 200ns);
}

TEST_CASE("read: its responses acknowledge what is before it", "[X12]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_read(80);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 101, 80); });
    bench.at(2us, [&] { bench.ack(102); });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 3);
    CHECK(bench.completions.seen[0].told == 1us);
    CHECK(bench.completions.seen[1].told == 1us);
    CHECK(bench.completions.seen[2].told == 2us);
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("read: an acknowledgement that passes it asks for it again", "[X13]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);    // 100
        bench.post_read(2000);  // 101, 102
        bench.post_send(80);    // 103
    });
    bench.at(1us, [&] { bench.ack(103); });
    bench.at(2us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 103, 101, 103});
        CHECK(bench.packet(3).opcode == Opcode::read_request);
        CHECK(bench.packet(3).dma_length == 2000);
        CHECK(bench.completed() == Statuses{{1, WcStatus::success}});  // the Send before it is acknowledged
        bench.ack(103);                                                // one more of these is no news
        CHECK(bench.psns().size() == 5);
        bench.respond(Opcode::read_response_first, 101, 1024);
        bench.respond(Opcode::read_response_last, 102, 976);
        bench.ack(103);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}, {3, WcStatus::success}});
    check_at_rest(bench.completer);
    check_at_rest(bench.reads);
}

TEST_CASE("read: what is missing is asked for from the first missing response on", "[X14]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(4500); });  // 100-104
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_first, 100, 1024);
        bench.respond(Opcode::read_response_middle, 101, 1024);
        bench.respond(Opcode::read_response_middle, 103, 1024);  // 102 is lost
        bench.respond(Opcode::read_response_last, 104, 404);     // no second request for that
    });
    bench.at(2us, [&] {
        REQUIRE(bench.psns() == Psns{100, 102});
        const Packet& again = bench.packet(1);
        CHECK(again.opcode == Opcode::read_request);
        CHECK(again.remote == Address{0x7000'0000} + 2048);
        CHECK(again.dma_length == 4500 - 2048);
        CHECK(again.key == MrKey{0x77});
        bench.respond(Opcode::read_response_first, 102, 1024);
        bench.respond(Opcode::read_response_middle, 103, 1024);
        bench.respond(Opcode::read_response_last, 104, 404);
    });
    bench.run();
    for (std::uint32_t i = 0; i < 5; ++i) {
        const std::size_t length = i < 4 ? 1024 : 404;
        CHECK(bench.memory_at(i * 1024, length) == pattern(length, 100 + i));
    }
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    CHECK(statistic(bench.reads, "dropped") == 2);
    bench.check_payloads();
    check_at_rest(bench.reads);
}

TEST_CASE("read: a lost last response is asked for after the timeout", "[X14][X15]") {
    TransportParams params;
    params.timeout_code = 4;  // 65.536 us
    ReadBench bench(params);
    bench.at(0ns, [&] { bench.post_read(2048); });
    bench.at(10us, [&] { bench.respond(Opcode::read_response_first, 100, 1024); });
    // The response was progress: the time runs from there.
    bench.at(10us + 65'536ns + 1_ps, [&] {
        REQUIRE(bench.psns() == Psns{100, 101});
        CHECK(bench.left().at(1).at == 10us + 65'536ns);
        CHECK(bench.packet(1).remote == Address{0x7000'0000} + 1024);
        CHECK(bench.packet(1).dma_length == 1024);
        bench.respond(Opcode::read_response_only, 101, 1024);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
}

TEST_CASE("read: a response that comes twice is dropped", "[X11]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_read(2048);
        bench.post_read(8);
    });
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_first, 100, 1024);
        bench.respond(Opcode::read_response_first, 100, 1024);
        bench.respond(Opcode::read_response_last, 101, 1024);
        bench.respond(Opcode::read_response_last, 101, 1024);
        bench.respond(Opcode::read_response_only, 102, 8);
        bench.respond(Opcode::read_response_only, 102, 8);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 102});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    CHECK(bench.dma.writes.size() == 3);
    bench.check_payloads();
}

TEST_CASE("read: the NAK takes the place of a response, and fails the Read", "[X26][X31]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_read(3000);
        bench.post_send(80);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 100, 1024); });
    bench.at(2us, [&] { bench.ack(101, Aeth::kNakRemoteAccess); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::rem_access}, {2, WcStatus::wr_flush}});
    check_at_rest(bench.reads);
}

// A response that cannot be right: the Read ends with "bad response" [wire.md 8].
void is_malformed(Opcode opcode, std::uint32_t length) {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(2000); });
    bench.at(1us, [&] { bench.respond(opcode, 100, length); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::bad_resp}});
    CHECK(bench.dma.writes.empty());
    bench.check_payloads();
    check_at_rest(bench.reads);
}

TEST_CASE("read: a first response that is too short is malformed") {
    is_malformed(Opcode::read_response_first, 1000);
}

TEST_CASE("read: a response that ends the Read too early is malformed") {
    is_malformed(Opcode::read_response_only, 1024);
}

TEST_CASE("read: a response without data is malformed") {
    is_malformed(Opcode::read_response_first, 0);
}

TEST_CASE("read: a last response of the wrong kind is malformed") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(2000); });
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_first, 100, 1024);
        bench.respond(Opcode::read_response_middle, 101, 976);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::bad_resp}});
}

TEST_CASE("read: a sink that may not be written is refused before anything is sent", "[X31]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);
        bench.post_read(80, kWqeSignaled, kQp, MrKey{0xBAD});
    });
    bench.at(1us, [&] { bench.ack(100); });
    bench.run();
    CHECK(bench.psns() == Psns{100});
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::loc_prot}});
    check_at_rest(bench.reads);
}

TEST_CASE("read: a sink that is taken away meanwhile fails the Read", "[K64]") {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(2000, kWqeSignaled, kQp, MrKey{5}); });
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_first, 100, 1024);
        bench.protection.bad = MrKey{5};
        bench.respond(Opcode::read_response_last, 101, 976);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::loc_prot}});
    CHECK(bench.dma.writes.size() == 1);
    bench.check_payloads();
}

}  // namespace ndsim::test::read_test

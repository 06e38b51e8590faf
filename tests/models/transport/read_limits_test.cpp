// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/read_bench.hpp"

namespace ndsim::test::read_limits_test {

TEST_CASE("read: no more are outstanding than were agreed, and the next holds back what is behind it", "[X30][K172]") {
    QpConnection connection = ReadBench::plain_connection();
    connection.outbound_reads = 2;
    ReadBench bench(ReadBench::no_timeout(), connection);
    bench.at(0ns, [&] {
        bench.post_read(2048);  // 100, 101
        bench.post_read(8);     // 102
        bench.post_read(8);     // 103
        bench.post_send(80);    // 104
        CHECK(bench.psns() == Psns{100, 102});
        CHECK(bench.engine.stall() == Stall::read_limit);
    });
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_first, 100, 1024);
        CHECK(bench.psns() == Psns{100, 102});  // not all of it is there
        bench.respond(Opcode::read_response_last, 101, 1024);
    });
    bench.at(2us, [&] {
        CHECK(bench.psns() == Psns{100, 102, 103, 104});
        CHECK(bench.left().at(3).at == 1us);
        bench.respond(Opcode::read_response_only, 102, 8);
        bench.respond(Opcode::read_response_only, 103, 8);
        bench.ack(104);
    });
    bench.run();
    CHECK(bench.completions.seen.size() == 4);
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("read: one is outstanding until its last byte has arrived", "[K172]") {
    QpConnection connection = ReadBench::plain_connection();
    connection.outbound_reads = 1;
    ReadBench bench(ReadBench::no_timeout(), connection);
    bench.at(0ns, [&] {
        bench.post_read(1024);  // 100
        bench.post_read(8);     // 101
    });
    // The first grain of the response is there at 1 us, its last byte 800 ns later.
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_only, 100, 1024, 0, kQp, 800ns);
        CHECK(bench.engine.stall() == Stall::read_limit);
    });
    bench.at(2us, [&] {
        CHECK(bench.psns() == Psns{100, 101});
        CHECK(bench.left().at(1).at == 1800ns);
        bench.respond(Opcode::read_response_only, 101, 8);
    });
    bench.run();
    CHECK(bench.completions.seen.size() == 2);
}

TEST_CASE("read: two queue pairs share the read buffer, and room comes back as data leaves for host memory") {
    TransportParams params = ReadBench::no_timeout();
    params.read_buffer = 4_KiB;
    ReadBench bench(params);
    bench.at(0ns, [&] {
        bench.post_read(2048);
        bench.post_read(1024);
        bench.post_read(2048, kWqeSignaled, kQp2);
        CHECK(bench.psns(kQp2).empty());
        CHECK(bench.engine.stall(kQp2) == Stall::read_buffer);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 100, 1024); });
    // 10 ns later this KiB is on PCIe: 2048 bytes are free.
    bench.at(1011ns, [&] { CHECK(bench.psns(kQp2) == Psns{100}); });
    bench.at(2us, [&] { bench.respond_to_the_rest(); });
    bench.run();
    CHECK(bench.completions.seen.size() == 3);
    check_at_rest(bench.reads);
}

// 2048 bytes and 8 are taken of 4096, so half of the buffer is not free until the 8 have left.
TEST_CASE("read: one that is larger than half of the read buffer waits for half of it", "[limit]") {
    TransportParams params = ReadBench::no_timeout();
    params.read_buffer = 4_KiB;
    ReadBench bench(params);
    bench.at(0ns, [&] {
        bench.post_read(8);
        bench.post_read(2048);
        bench.post_read(8192, kWqeSignaled, kQp2);
        CHECK(bench.engine.stall(kQp2) == Stall::read_buffer);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 100, 8); });
    bench.at(2us, [&] {
        CHECK(bench.psns(kQp2) == Psns{100});
        bench.respond(Opcode::read_response_first, 101, 1024);
        bench.respond(Opcode::read_response_last, 102, 1024);
        for (std::uint32_t i = 0; i < 8; ++i) {
            bench.respond(i == 0   ? Opcode::read_response_first
                          : i == 7 ? Opcode::read_response_last
                                   : Opcode::read_response_middle,
                          100 + i, 1024, 0, kQp2);
        }
    });
    bench.run();
    CHECK(bench.completions.seen.size() == 3);
    check_at_rest(bench.reads);
}

TEST_CASE("read: two are under way at once, however large they are") {
    TransportParams params = ReadBench::no_timeout();
    params.read_buffer = 4_KiB;
    ReadBench bench(params);
    bench.at(0ns, [&] {
        bench.post_read(1U << 20U);
        bench.post_read(1U << 20U);
        bench.post_read(8, kWqeSignaled, kQp2);
        CHECK(bench.psns() == Psns{100, 100 + 1024});  // a Read has as many PSNs as responses
        CHECK(bench.engine.stall(kQp2) == Stall::read_buffer);
        bench.faults.qp_failed(kQp, WcStatus::wr_flush);
        bench.faults.qp_failed(kQp2, WcStatus::wr_flush);
    });
    bench.run();
    check_at_rest(bench.reads);
}

TEST_CASE("read: a queue pair that fails gives its room in the read buffer back", "[X32]") {
    TransportParams params = ReadBench::no_timeout();
    params.read_buffer = 4_KiB;
    ReadBench bench(params);
    bench.at(0ns, [&] {
        bench.post_read(2048);
        bench.post_read(2048);
        bench.post_read(4096, kWqeSignaled, kQp2);
    });
    bench.at(1us, [&] {
        bench.respond(Opcode::read_response_first, 100, 1024);
        CHECK(bench.psns(kQp2).empty());
        bench.ack(101, Aeth::kNakRemoteAccess);
        CHECK(bench.completed() == Statuses{{1, WcStatus::rem_access}, {2, WcStatus::wr_flush}});
    });
    bench.at(2us, [&] {
        CHECK(bench.psns(kQp2) == Psns{100});
        bench.respond(Opcode::read_response_only, 103, 1024);  // for the dead one: dropped
        bench.faults.qp_failed(kQp2, WcStatus::wr_flush);
    });
    bench.run();
    check_at_rest(bench.reads);
    bench.check_payloads();
}

TEST_CASE("read: a response that passes a request that has failed meanwhile fails the queue pair once", "[X31]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);                               // 100
        bench.post_send(80);                               // 101
        bench.post_send(80, kWqeSignaled, kQp, MrKey{5});  // 102
        bench.post_read(2048);                             // 103, 104
    });
    bench.at(1us, [&] {
        bench.protection.bad = MrKey{5};
        bench.ack(100, Aeth::kNakSequence);  // 102 cannot be sent again
        bench.ack(100);                      // and this is progress
        bench.respond(Opcode::read_response_last, 104, 1024);
    });
    bench.run();
    CHECK(bench.completed() ==
          Statuses{{1, WcStatus::success}, {2, WcStatus::success}, {3, WcStatus::loc_prot}, {4, WcStatus::wr_flush}});
    CHECK(bench.faults.failed.size() == 1);
    bench.check_payloads();
}

TEST_CASE("read: a malformed response behind a request that has failed fails the queue pair once", "[X31]") {
    ReadBench bench;
    bench.at(0ns, [&] {
        bench.post_send(80);                               // 100
        bench.post_send(80, kWqeSignaled, kQp, MrKey{5});  // 101
        bench.post_read(2048);                             // 102, 103
    });
    bench.at(1us, [&] {
        bench.protection.bad = MrKey{5};
        bench.ack(100, Aeth::kNakSequence);
        bench.respond(Opcode::read_response_only, 102, 7);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::loc_prot}, {3, WcStatus::wr_flush}});
    CHECK(bench.faults.failed.size() == 1);
}

}  // namespace ndsim::test::read_limits_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/read_bench.hpp"

namespace ndsim::test::limits_test {

// Eleven packets, PSNs 100 to 110; the first is acknowledged at 1 us. When does the last one leave?
Picoseconds eleventh_leaves(std::uint32_t psn_window) {
    TransportParams params = ReadBench::no_timeout();
    params.psn_window = psn_window;
    ReadBench bench(params);
    bench.at(0ns, [&] { bench.post_send(11 * 1024); });
    bench.at(1us - 1_ps, [&] { CHECK(bench.psns().size() == std::min(psn_window, 11U)); });
    bench.at(1us, [&] { bench.ack(100); });
    bench.at(2us, [&] { bench.ack(110); });
    bench.run();
    REQUIRE(bench.psns().size() == 11);
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}});
    return bench.left().at(10).at;
}

TEST_CASE("requester: with the window full a packet waits for the first acknowledgement", "[limit]") {
    CHECK(eleventh_leaves(10) == 1us);
}

TEST_CASE("requester: with a window of one packet more it does not wait", "[limit]") {
    CHECK(eleventh_leaves(11) == 0ns);
}

TEST_CASE("requester: each packet that is acknowledged lets one go", "[limit]") {
    TransportParams params = ReadBench::no_timeout();
    params.psn_window = 10;
    ReadBench bench(params);
    bench.at(0ns, [&] { bench.post_send(14 * 1024); });
    for (std::uint32_t i = 0; i < 4; ++i) {
        bench.at((i + 1) * 1us, [&bench, i] {
            CHECK(bench.psns().size() == 10 + i);
            bench.ack(100 + i);
        });
    }
    bench.at(9us, [&] { bench.ack(113); });
    bench.run();
    REQUIRE(bench.psns().size() == 14);
    for (std::int64_t i = 0; i < 4; ++i) {
        CHECK(bench.left()[static_cast<std::size_t>(10 + i)].at == (i + 1) * 1us);
    }
}

// Reads of 2 and 1 KiB; the first KiB is here at 1 us and on PCIe 10 ns later. Another queue pair wants a Read of 2 KiB
// 1 ps before; none of them is larger than half of the buffer.
Picoseconds other_read_leaves(std::uint64_t read_buffer) {
    TransportParams params = ReadBench::no_timeout();
    params.read_buffer = Bytes{read_buffer};
    ReadBench bench(params);
    bench.at(0ns, [&] {
        bench.post_read(2048);
        bench.post_read(1024);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_first, 100, 1024); });
    bench.at(1010ns - 1_ps, [&] { bench.post_read(2048, kWqeSignaled, kQp2); });
    bench.at(2us, [&] { bench.respond_to_the_rest(); });
    bench.run();
    CHECK(bench.completions.seen.size() == 3);
    check_at_rest(bench.reads);
    return bench.left(kQp2).at(0).at;
}

TEST_CASE("read: room in the read buffer is there when data has left for host memory, not a picosecond before",
          "[limit]") {
    CHECK(other_read_leaves(4096) == 1010ns);
}

TEST_CASE("read: a byte too few in the read buffer is too few", "[limit]") {
    CHECK(other_read_leaves(3072 + 2047) == 1010ns);
}

TEST_CASE("read: with exactly enough room in the read buffer it does not wait", "[limit]") {
    CHECK(other_read_leaves(3072 + 2048) == 1010ns - 1_ps);
}

// A Read and then another one, of one that may be outstanding; the first is answered at 1 us.
Picoseconds second_read_leaves(std::uint32_t outbound) {
    QpConnection connection = ReadBench::plain_connection();
    connection.outbound_reads = outbound;
    ReadBench bench(ReadBench::no_timeout(), connection);
    bench.at(0ns, [&] {
        bench.post_read(8);
        bench.post_read(8);
    });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 100, 8); });
    bench.at(2us, [&] { bench.respond(Opcode::read_response_only, 101, 8); });
    bench.run();
    CHECK(bench.completions.seen.size() == 2);
    return bench.left().at(1).at;
}

TEST_CASE("read: beyond what was agreed a Read waits for the last response of the first", "[limit]") {
    CHECK(second_read_leaves(1) == 1us);
}

TEST_CASE("read: with one more agreed it does not wait", "[limit]") {
    CHECK(second_read_leaves(2) == 0ns);
}

// The data of a Read is visible 200 ns after its last response has come.
Picoseconds fenced_send_leaves(Picoseconds posted) {
    ReadBench bench;
    bench.at(0ns, [&] { bench.post_read(8); });
    bench.at(1us, [&] { bench.respond(Opcode::read_response_only, 100, 8); });
    bench.at(posted, [&] { bench.post_send(8, kWqeSignaled | kWqeReadFence); });
    bench.at(3us, [&] { bench.ack(101); });
    bench.run();
    CHECK(bench.completions.seen.size() == 2);
    return bench.left().at(1).at;
}

TEST_CASE("fence: a request waits for the picosecond in which the data of an earlier Read is visible", "[limit]") {
    CHECK(fenced_send_leaves(1200ns - 1_ps) == 1200ns);
}

TEST_CASE("fence: from then on it does not wait", "[limit]") {
    CHECK(fenced_send_leaves(1200ns + 1_ps) == 1200ns + 1_ps);
}

}  // namespace ndsim::test::limits_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/peer_read_bench.hpp"

namespace ndsim::test::read_schedule_test {

TEST_CASE("responder: a Read is scheduled for a while, and its data is what memory holds then", "[formula]") {
    PeerReadBench bench(300ns);
    bench.at(0ns, [&] { bench.read(100, 0, 4); });
    bench.at(299ns, [&] {
        CHECK(bench.dma.reads.empty());
        bench.memory.data[0] = std::byte{0xEE};
    });
    bench.at(301ns, [&] {
        REQUIRE(bench.egress.sent.size() == 1);
        CHECK(bench.payload(0)[0] == std::byte{0xEE});
        bench.leave(1);
    });
    bench.run();
    CHECK(bench.dma.reads.at(0).at == 300ns);
    check_at_rest(bench.reads);
}

TEST_CASE("responder: Reads are scheduled side by side, and answered in order") {
    PeerReadBench bench(300ns);
    bench.at(0ns, [&] { bench.read(100, 0, 4); });
    bench.at(100ns, [&] { bench.read(101, 64, 4); });
    bench.at(1us, [&] { bench.leave(2); });
    bench.run();
    CHECK(bench.psns() == std::vector<std::uint32_t>{100, 101});
    CHECK(bench.dma.reads.at(0).at == 300ns);
    CHECK(bench.dma.reads.at(1).at == 400ns);
}

TEST_CASE("responder: a Read that is being scheduled when its queue pair fails gets no response") {
    PeerReadBench bench(300ns);
    bench.at(0ns, [&] { bench.read(100, 0, 4); });
    bench.at(100ns, [&] { bench.responder.fail_qp(kQp); });
    bench.run();
    CHECK(bench.egress.sent.empty());
    CHECK(bench.dma.reads.empty());
    check_at_rest(bench.reads);
}

TransportParams paced(Picoseconds interval, Picoseconds gap) {
    TransportParams params = unpaced_reads();
    params.read_interval = interval;
    params.read_gap = gap;
    return params;
}

TEST_CASE("responder: Reads of one queue pair start read_interval apart", "[formula]") {
    PeerReadBench bench(paced(200ns, 0ns));
    bench.at(0ns, [&] {
        bench.read(100, 0, 4);
        bench.read(101, 64, 4);
    });
    bench.at(500ns, [&] { bench.read(102, 128, 4); });  // 300 ns after the second: it waits for nothing
    bench.at(1us, [&] { bench.leave(3); });
    bench.run();
    CHECK(bench.dma.reads.at(0).at == 0ns);
    CHECK(bench.dma.reads.at(1).at == 200ns);
    CHECK(bench.dma.reads.at(2).at == 500ns);
}

TEST_CASE("responder: a Read starts read_gap after the lane could have carried the responses before it", "[formula]") {
    PeerReadBench bench(paced(50ns, 30ns));
    bench.at(0ns, [&] {
        bench.read(100, 0, 2500);
        bench.read(103, 64, 4);
    });
    bench.at(1us, [&] { bench.leave(4); });
    bench.run();
    // 2500 bytes are packets of 1024, 1024 and 452, the first and the last with 4 bytes of AETH, each with 82 around
    // them: 2500 + 3 x 82 + 2 x 4 = 2754 bytes of 80 ps, and 30 ns.
    CHECK(bench.dma.reads.at(3).at == 250'320_ps);
}

}  // namespace ndsim::test::read_schedule_test

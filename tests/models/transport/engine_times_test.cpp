// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/park_bench.hpp"
#include "tests/models/transport/peer_read_bench.hpp"

namespace ndsim::test::engine_times_test {

TEST_CASE("responder times: busy until payload has left onto PCIe, blocked while a receive WQE holds up everything") {
    ResponderBench bench;
    bench.dma.issue_time = 40ns;
    bench.receives.under_way = true;
    bench.post({{0, 100}});
    bench.post({{100, 100}});
    bench.at(100ns, [&] { bench.receive(Opcode::send_only, 100, 8); });
    bench.at(300ns, [&] {
        bench.receives.under_way = false;
        bench.responder.receive_ready(kQp);
    });
    bench.at(320ns, [&] { bench.receive(Opcode::send_only, 101, 8); });
    bench.at(1us, [] {});
    bench.run();
    check_engines(bench.responder);
    CHECK(Picoseconds(statistic(bench.responder, "receive_wqe")) == 200ns);
    CHECK(Picoseconds(statistic(bench.responder, "busy")) == 60ns);  // from 300 to 340 ns, and from 320 to 360 ns
    CHECK(Picoseconds(statistic(bench.responder, "idle")) == 740ns);
}

// The receive of the second message is there at 1.4 us (400 ns after the first took the one before it).
TEST_CASE("responder times: blocked while all that is left was set aside") {
    ParkBench bench(1);
    bench.at(0ns, [&] {
        bench.post(2, kQp);
        bench.post(1, kQp2);
    });
    bench.at(1us, [&] { bench.send(kQp, 100); });
    bench.at(1100ns, [&] { bench.send(kQp, 101); });   // set aside
    bench.at(1200ns, [&] { bench.send(kQp2, 100); });  // executed meanwhile
    bench.at(2us, [] {});
    bench.run();
    check_engines(bench.responder);
    // Payload has left 10 ns after a message.
    CHECK(Picoseconds(statistic(bench.responder, "rq_park")) == 290ns);
    CHECK(Picoseconds(statistic(bench.responder, "receive_wqe")) == 0ns);
    CHECK(Picoseconds(statistic(bench.responder, "busy")) == 30ns);
}

TEST_CASE("read responder times: busy from a Read until the data of its last response is there") {
    PeerReadBench bench(325ns);
    bench.dma.latency.reset();
    bench.at(100ns, [&] { bench.read(100, 0, 64); });  // its data is asked for at 425 ns
    bench.at(600ns, [&] { bench.dma.answer(0, {690ns, 700ns}); });
    bench.at(1us, [] {});
    bench.run();
    check_engines(bench.reads);
    CHECK(Picoseconds(statistic(bench.reads, "busy")) == 600ns);
    CHECK(Picoseconds(statistic(bench.reads, "idle")) == 400ns);
}

TEST_CASE("read responder times: what a response waits for goes before the data of those before it") {
    PeerReadBench bench;
    bench.dma.latency = 400ns;
    bench.egress.room = 1110_B;  // for one response of 1024 bytes
    bench.at(100ns, [&] { bench.read(100, 0, 2048); });
    bench.at(300ns, [&] {
        bench.egress.room = 1_MiB;
        bench.reads.tx_room();
    });
    bench.at(1us, [] {});
    bench.run();
    check_engines(bench.reads);
    CHECK(Picoseconds(statistic(bench.reads, "tx_fifo")) == 200ns);
    CHECK(Picoseconds(statistic(bench.reads, "busy")) == 400ns);  // from 300 to 700 ns
}

}  // namespace ndsim::test::engine_times_test

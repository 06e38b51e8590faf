// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/peer_read_bench.hpp"

namespace ndsim::test::formulae_test {

// 325 ns until the data is read, 400 ns for that, 35 ns to build the packet.
TEST_CASE("responder: a Read's response is at the MAC after its scheduling, its data's read and tx_pipe", "[formula]") {
    PeerReadBench bench(325ns);
    bench.dma.latency = 400ns;
    bench.at(1us, [&] { bench.read(100, 0, 64); });
    bench.at(5us, [&] { bench.leave(1); });
    bench.run();
    REQUIRE(bench.egress.sent.size() == 1);
    CHECK(bench.egress.sent[0].ready.start == 1us + 325ns + 400ns + 35ns);
    CHECK(bench.egress.sent[0].ready.end == 1us + 325ns + 400ns + 35ns);
}

}  // namespace ndsim::test::formulae_test

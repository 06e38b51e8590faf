// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/peer_read_bench.hpp"

namespace read_schedule_test {

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

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

}  // namespace read_schedule_test

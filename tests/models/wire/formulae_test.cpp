// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wire/wire_bench.hpp"

namespace ndsim::test::formulae_test {

TEST_CASE("cable: MACs, cable, error correction and switches make the flight", "[formula]") {
    Bench bench;
    FarEnd far;
    LinkParams params;
    params.length = Length{7'000};
    params.fec = 100ns;
    params.switch_hops = 3;
    Cable cable("cable", bench.timeline, params, 512_B);
    cable.out.bind(far);
    bench.at(0ns, [&] { (void)cable.put(request(0)); });
    bench.run();
    // 30 ns + 7 m x 5 ns + 100 ns + 3 x 425 ns + 62 ns = 1502 ns, behind 84 bytes at 80 ps.
    CHECK(far.seen.at(0).at.end == 84 * 80_ps + 1502ns);
}

// (1024 + 82) x 80 ps = 88.48 ns each, so that payload is 1024 / 1106 of the rate. 4096 B: cable_test.cpp.
TEST_CASE("egress: long messages leave without a gap, a packet in (MTU + 82) bytes' time", "[formula]") {
    EgressBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 10; ++i) {
            bench.send(request(1024, i), {0ns, 0ns});
        }
    });
    bench.run();
    REQUIRE(bench.far.seen.size() == 10);
    for (std::int64_t i = 0; i < 10; ++i) {
        CHECK(bench.far.seen[static_cast<std::size_t>(i)].at.end == (i + 1) * 88'480_ps + 50ns);
    }
}

// The whole way of a packet of 4096 bytes from the port to behind the peer's pipeline: s = 4178 bytes, 334.24 ns, and
// g = 512 bytes, 40.96 ns.
TEST_CASE("wire: first grain and last byte behind the peer's pipeline, for payload that comes late", "[formula]") {
    struct Keeper final : TransportPort {
        void receive(const Packet&, Interval at) override { seen.push_back(at); }
        std::vector<Interval> seen;
    } keeper;
    EgressBench bench;
    Cable there("there", bench.timeline, plain_link(), 512_B);
    Cable back("back", bench.timeline, plain_link(), 512_B);
    Egress sender("sender", bench.timeline, small_grain(), HostId{0}, bench.ledgers);
    Ingress ingress("rx", bench.timeline, {}, bench.payloads);
    sender.lane.bind(there);
    sender.acks.bind(bench.acks);
    sender.sent.bind(bench.requests);
    sender.waiters.bind(bench.work);
    there.out.bind(ingress);
    back.out.bind(bench.far);
    ingress.transport.bind(keeper);
    ingress.peer.bind(sender);
    ingress.back.bind(back);
    bench.at(0ns, [&] {
        REQUIRE(sender.has_room(4178_B));
        sender.reserve(4178_B);
        sender.send(request(4096), {100ns, 1us});
    });
    bench.run();
    // Starts at max(100 ns, 1 us + 40.96 ns - 334.24 ns) = 706.72 ns. The first grain is s - (p - g) = 594 bytes,
    // 47.52 ns, later on the lane; flight 50 ns, pipeline 120 ns.
    REQUIRE(keeper.seen.size() == 1);
    CHECK(keeper.seen[0].start == 706'720_ps + 47'520_ps + 170ns);
    CHECK(keeper.seen[0].end == 706'720_ps + 334'240_ps + 170ns);
}

}  // namespace ndsim::test::formulae_test

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <tuple>

#include "models/proto/lane_state.hpp"
#include "tests/models/wire/wire_bench.hpp"

namespace ndsim::test::cable_test {

TEST_CASE("cable: a packet arrives after serialisation and flight", "[formula]") {
    Bench bench;
    FarEnd far;
    LinkParams params;  // preset B: 2 m at 5 ns, MACs 30 and 62 ns
    Cable cable("cable", bench.timeline, params, 512_B);
    cable.out.bind(far);
    CHECK(params.flight() == 102ns);
    bench.at(1us, [&] {
        const Interval lane = cable.put(request(918));  // 918 + 2 of pad + 82 = 1002 bytes: 80.16 ns
        CHECK(lane.start == 1us);
        CHECK(lane.end == 1us + 80'160_ps);
        CHECK(cable.free_at() == lane.end);
    });
    bench.run();
    REQUIRE(far.seen.size() == 1);
    CHECK(far.seen[0].at.end == 1us + 80'160_ps + 102ns);
    // The receiver can start when 512 of the 918 bytes are there: 406 bytes before the end.
    CHECK(far.seen[0].at.start == 1us + 596 * 80_ps + 102ns);
}

TEST_CASE("cable: whoever taps the lane sees a packet when it starts") {
    Bench bench;
    FarEnd far;
    struct Tap final : LaneTap {
        void sent(const Packet& packet, Interval lane) override {
            CHECK(packet.psn == Psn{7});
            seen.push_back({lane.start, lane.end});
        }
        void arrives(const Packet&, Interval) override { FAIL("the receiver tells that"); }
        std::vector<std::array<Picoseconds, 2>> seen;
    };
    Tap tap;
    Tap other;
    Cable cable("cable", bench.timeline, plain_link(), 512_B);
    cable.out.bind(far);
    cable.taps.bind(tap);
    cable.taps.bind(other);
    bench.at(1us, [&] { (void)cable.put(request(18, 7)); });  // 18 + 2 of pad + 82 = 102 bytes: 8.16 ns
    bench.run();
    REQUIRE(tap.seen.size() == 1);
    CHECK(tap.seen[0] == std::array<Picoseconds, 2>{1us, 1us + 8'160_ps});
    CHECK(other.seen == tap.seen);
    CHECK(far.seen.size() == 1);
}

// 84 bytes take 6.72 ns, 86 with the AETH 6.88 ns.
TEST_CASE("cable: probes show an edge for each packet, and the kind of a NAK") {
    Bench bench;
    FarEnd far;
    struct Sink final : WaveSink {
        void change(std::uint32_t signal, Picoseconds at, std::uint64_t value) override {
            seen.push_back({signal, at.count(), value});
        }
        std::vector<std::tuple<std::uint32_t, std::int64_t, std::uint64_t>> seen;
    };
    Sink sink;
    Cable cable("cable", bench.timeline, plain_link(), 512_B);
    cable.out.bind(far);
    for (ProbeBase* const probe : cable.probes()) {
        if (probe->name() == "packet" || probe->name() == "number") {
            probe->attach(sink, probe->name() == "number" ? 1 : 0);
        }
    }
    Packet nak;
    nak.opcode = Opcode::acknowledge;
    nak.aeth.syndrome = 0x2C;
    bench.at(0ns, [&] { (void)cable.put(request(0)); });
    bench.at(6'720_ps, [&] { (void)cable.put(request(0)); });
    bench.at(20ns, [&] { (void)cable.put(nak); });
    bench.run();
    const std::uint64_t send = lane_state(Opcode::send_only);
    const std::uint64_t rnr = lane_state(nak);
    CHECK(lane_states()[rnr] == "RNR_NAK");
    CHECK(sink.seen == decltype(sink.seen){{0, 0, send},
                                           {1, 0, 1},
                                           {0, 6'720, 0},
                                           {0, 6'720, send},
                                           {1, 6'720, 2},
                                           {0, 13'440, 0},
                                           {0, 20'000, rnr},
                                           {1, 20'000, 3},
                                           {0, 26'880, 0}});
}

TEST_CASE("cable: the smallest packet takes 84 bytes, and is there as a whole", "[formula]") {
    Bench bench;
    FarEnd far;
    Cable cable("cable", bench.timeline, plain_link(), 512_B);
    cable.out.bind(far);
    bench.at(0ns, [&] { (void)cable.put(request(0)); });
    bench.run();
    CHECK(far.seen.at(0).at.end == 84 * 80_ps + 50ns);
    CHECK(far.seen.at(0).at.start == far.seen.at(0).at.end);
}

// 26 bytes are around a packet's payload, extension headers and pad, and it may be as short as these.
TEST_CASE("wire: packets and acknowledgements of an InfiniBand link take what they have, and no gap", "[formula]") {
    EgressBench bench;  // only for what stands behind the transmitter
    FarEnd far;
    LinkParams params = plain_link();
    params.framing = Framing::infiniband;
    Cable cable("infiniband", bench.timeline, params, 512_B);
    Egress egress("sender", bench.timeline, small_grain(), kPortHost, bench.ledgers);
    cable.out.bind(far);
    egress.lane.bind(cable);
    egress.acks.bind(bench.acks);
    egress.sent.bind(bench.requests);
    egress.waiters.bind(bench.work);
    bench.at(0ns, [&] {
        for (const std::uint32_t payload : {918U, 0U}) {
            Packet packet = request(payload);
            packet.framing = egress.framing();
            REQUIRE(egress.has_room(wire_bytes(packet)));
            egress.reserve(wire_bytes(packet));
            egress.send(packet, {0ns, 0ns});
        }
        egress.send_ack(kQp, 1us);
    });
    bench.run();
    REQUIRE(far.seen.size() == 3);
    // 918 + 2 of pad + 26 = 946 bytes; the receiver can start 406 bytes earlier, when 512 of payload are there.
    CHECK(far.seen[0].at.start == 540 * 80_ps + 50ns);
    CHECK(far.seen[0].at.end == 946 * 80_ps + 50ns);
    CHECK(far.seen[1].at.end == (946 + 26) * 80_ps + 50ns);
    CHECK(far.seen[2].at.end == 1us + 30 * 80_ps + 50ns);  // 4 of AETH
    CHECK(statistic(cable, "bytes") == 946 + 26 + 30);
    CHECK(statistic(egress, "bytes") == 946 + 26 + 30);
}

TEST_CASE("cable: ten thousand packets at 25.78125 Gbps keep the rate exactly", "[formula]") {
    Bench bench;
    struct Count final : PacketSink {
        void arrive(const Packet&, Interval at) override { last = at.end; }
        Picoseconds last{};
    } far;
    LinkParams params = plain_link();
    params.rate = Bandwidth{25'781'250'000};
    Cable cable("cable", bench.timeline, params, 512_B);
    cable.out.bind(far);
    int left = 10'000;
    std::function<void()> put = [&] {
        const Interval lane = cable.put(request(4096));
        if (--left > 0) {
            bench.at(lane.end, put);
        }
    };
    bench.at(0ns, put);
    bench.run();
    // 10^4 x 4178 B x 10240/33 ps = 12,964,460,606.06 ps, and 50 ns.
    CHECK(far.last == 12'964'460'607_ps + 50ns);
    CHECK(statistic(cable, "payload_bytes") == 40'960'000);
    CHECK(statistic(cable, "bytes") == 41'780'000);
}

}  // namespace ndsim::test::cable_test

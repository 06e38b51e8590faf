// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wire/wire_bench.hpp"

namespace ndsim::test::limits_test {

TEST_CASE("egress: the TX FIFO takes its last byte, and none beyond", "[limit]") {
    PortParams params;
    params.tx_fifo = 8_KiB;
    EgressBench bench(params);
    bench.at(0ns, [&] {
        CHECK(bench.reserve(4178_B));
        CHECK_FALSE(bench.reserve(8192_B - 4178_B + 1_B));
        CHECK(bench.reserve(8192_B - 4178_B));
        CHECK_FALSE(bench.reserve(1_B));
    });
    bench.run();
}

// The transport behind the receiver: keeps everything in the RX buffer.
struct Keeper final : TransportPort {
    explicit Keeper(const Timeline& its_timeline) : timeline(its_timeline) {}
    void receive(const Packet& packet, Interval) override { seen.emplace_back(packet.psn.value(), timeline.now()); }
    const Timeline& timeline;
    std::vector<std::pair<std::uint32_t, Picoseconds>> seen;
};

struct Peer final : PausePort {
    [[nodiscard]] bool holds_packets() const override { return false; }
    void pause(bool stop, Picoseconds at) override { told.emplace_back(stop, at); }
    std::vector<std::pair<bool, Picoseconds>> told;
};
using Told = std::vector<std::pair<bool, Picoseconds>>;

// A receiver with a pipeline of 120 ns, and a way back of 100 Gbps and 50 ns.
struct RxBench : Bench {
    explicit RxBench(Bytes rx_buffer, bool pause = true, const LinkParams& link = plain_link())
        : back("back", timeline, link, 512_B), ingress("rx", timeline, params(rx_buffer, pause), payloads) {
        back.out.bind(far);
        ingress.transport.bind(keeper);
        ingress.peer.bind(peer);
        ingress.back.bind(back);
    }
    static PortParams params(Bytes rx_buffer, bool pause) {
        PortParams result;
        result.rx_buffer = rx_buffer;
        result.pause = pause;
        return result;
    }
    // A packet of `wire` bytes on the lane, 82 of them no payload, that is through the pipeline at `when`.
    void receive(Picoseconds when, std::uint32_t wire, std::uint32_t psn = 0) {
        at(when - 120ns, [this, wire, psn] { ingress.arrive(request(wire - 82, psn), {now(), now()}); });
    }
    void drain(Picoseconds when, Bytes bytes) {
        at(when, [this, bytes] { ingress.drained(bytes, now()); });
    }

    FarEnd far;
    Keeper keeper{timeline};
    Peer peer;
    Cable back;
    Ingress ingress;
};

TEST_CASE("ingress: the RX buffer takes its last byte, and without pause frames drops what has one too many",
          "[limit]") {
    RxBench bench(16_KiB, false);
    for (std::uint32_t i = 0; i < 3; ++i) {
        bench.receive(1us, 4178, i);
    }
    // 16384 - 3 x 4178 = 3850.
    bench.receive(2us, 3854, 3);
    bench.receive(3us, 3850, 4);
    bench.run();
    REQUIRE(bench.keeper.seen.size() == 4);
    CHECK(bench.keeper.seen[3] == std::pair<std::uint32_t, Picoseconds>{4, 3us});
    CHECK(statistic(bench.ingress, "overflows") == 1);
}

TEST_CASE("ingress: room in the RX buffer is there when payload has left onto PCIe, not a picosecond before",
          "[limit]") {
    RxBench bench(16_KiB, false);
    for (std::uint32_t i = 0; i < 3; ++i) {
        bench.receive(1us, 4178, i);
    }
    bench.at(1500ns, [&] { bench.ingress.drained(4178_B, 2us); });
    bench.receive(2us - 1_ps, 4178, 3);
    bench.receive(2us, 4178, 4);
    bench.run();
    REQUIRE(bench.keeper.seen.size() == 4);
    CHECK(bench.keeper.seen[3] == std::pair<std::uint32_t, Picoseconds>{4, 2us});
    CHECK(statistic(bench.ingress, "overflows") == 1);
}

// What may still come after a pause frame: what a round trip of 2 x 50 ns flight, 120 ns of pipeline and 84 + 4194
// bytes at 80 ps holds, 562.24 ns or 7028 bytes, and two packets of 4194 bytes that have begun: 15,416 bytes.
constexpr std::uint64_t kHeadroom = 15'416;
constexpr Picoseconds kFrame = 84 * 80_ps + 50ns;  // a pause frame on the lane, and its flight

TEST_CASE("ingress: a pause frame goes when one byte less is free than may still come", "[formula][limit]") {
    // Twelve packets of 4178 bytes leave one byte less.
    RxBench bench(Bytes{12 * 4178 + kHeadroom - 1});
    for (std::uint32_t i = 1; i <= 12; ++i) {
        bench.receive(i * 1us, 4178);
    }
    bench.run();
    CHECK(bench.peer.told == Told{{true, 12us + kFrame}});
}

// InfiniBand: a round trip of 2 x 50 ns, 120 ns and 6 + 4138 bytes at 80 ps holds 551.52 ns, or 6894 bytes; with two
// packets of 4138 bytes 15,170.
TEST_CASE("ingress: a flow-control packet of 6 bytes holds the peer of an InfiniBand link", "[formula]") {
    LinkParams link = plain_link();
    link.framing = Framing::infiniband;
    RxBench bench(Bytes{12 * 4178 + 15'170 - 1}, true, link);
    for (std::uint32_t i = 1; i <= 12; ++i) {
        bench.receive(i * 1us, 4178);
    }
    bench.run();
    CHECK(bench.peer.told == Told{{true, 12us + 6 * 80_ps + 50ns}});
}

TEST_CASE("ingress: no pause frame goes while as much is free as may still come", "[limit]") {
    RxBench bench(Bytes{12 * 4178 + kHeadroom});
    for (std::uint32_t i = 1; i <= 12; ++i) {
        bench.receive(i * 1us, 4178);
    }
    bench.run();
    CHECK(bench.peer.told.empty());
}

TEST_CASE("ingress: the peer may go on when half of the buffer is free, not a byte earlier", "[formula][limit]") {
    RxBench bench(64_KiB);
    // 12 x 4178 = 50,136 bytes, of which 17,368 have to go until 32,768 are left.
    for (std::uint32_t i = 1; i <= 12; ++i) {
        bench.receive(i * 1us, 4178);
    }
    bench.drain(20us, 17'367_B);
    bench.drain(21us, 1_B);
    bench.run();
    CHECK(bench.peer.told == Told{{true, 12us + kFrame}, {false, 21us + kFrame}});
}

TEST_CASE("ingress: in a small buffer the peer may go on when all that may still come has room", "[limit]") {
    RxBench bench(20'000_B);  // three packets, 12,534 bytes; half of it is free with 10,000
    for (std::uint32_t i = 1; i <= 3; ++i) {
        bench.receive(i * 1us, 4178);
    }
    // 20,000 - 15,416 = 4584 may stay.
    bench.drain(20us, Bytes{12'534 - 4'584 - 1});
    bench.drain(21us, 1_B);
    bench.run();
    CHECK(bench.peer.told == Told{{true, 2us + kFrame}, {false, 21us + kFrame}});
}

}  // namespace ndsim::test::limits_test

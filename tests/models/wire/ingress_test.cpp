// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wire/wire_bench.hpp"

namespace ndsim::test::ingress_test {

// The transport's double: keeps each packet's bytes in the RX buffer until the test lets them go.
struct Stalled final : TransportPort {
    explicit Stalled(const Timeline& its_timeline) : timeline(its_timeline) {}
    void receive(const Packet& packet, Interval at) override {
        seen.push_back({packet, at, timeline.now()});
        held.push_back(wire_bytes(packet));
    }
    struct Seen {
        Packet packet;
        Interval at;
        Picoseconds told{};
    };
    const Timeline& timeline;
    std::vector<Seen> seen;
    std::deque<Bytes> held;
};

// A sender with endless packets of 4096 bytes, a cable, and a receiver whose PCIe stalls; and the way back.
struct PauseBench : EgressBench {
    PauseBench(const LinkParams& link, const PortParams& params)
        : back("back", timeline, link, 512_B),
          there("there", timeline, link, 512_B),
          sender("sender", timeline, params, HostId{0}, ledgers),
          ingress("rx", timeline, params, payloads) {
        sender.lane.bind(there);
        sender.acks.bind(acks);
        sender.sent.bind(requests);
        sender.waiters.bind(work);
        there.out.bind(ingress);
        ingress.transport.bind(transport);
        ingress.peer.bind(sender);
        ingress.back.bind(back);
        back.out.bind(far);
        work.on_resume = [this] { fill(); };
    }
    void fill() {
        const Packet packet = request(4096, psn);
        while (sent < limit && sender.has_room(wire_bytes(packet))) {
            sender.reserve(wire_bytes(packet));
            sender.send(packet, {now(), now()});
            ++sent;
        }
    }
    void drain(std::size_t n) {
        for (; n > 0 && !transport.held.empty(); --n) {
            ingress.drained(transport.held.front(), now());
            transport.held.pop_front();
        }
    }

    Stalled transport{timeline};
    Cable back;
    Cable there;
    Egress sender;
    Ingress ingress;
    std::uint32_t psn = 0;
    std::uint32_t sent = 0;
    std::uint32_t limit = 400;
};

TEST_CASE("ingress: a packet comes through the pipeline as a stream, 120 ns later", "[formula]") {
    PauseBench bench(plain_link(), {});
    bench.limit = 1;
    bench.at(0ns, [&] { bench.fill(); });
    bench.run();
    REQUIRE(bench.transport.seen.size() == 1);
    // 594 bytes of header and first grain, 50 ns of flight, 120 ns of pipeline.
    CHECK(bench.transport.seen[0].told == 594 * 80_ps + 170ns);
    CHECK(bench.transport.seen[0].at.start == 594 * 80_ps + 170ns);
    CHECK(bench.transport.seen[0].at.end == 4178 * 80_ps + 170ns);
    CHECK(statistic(bench.ingress, "bytes") == 4178);
}

void stall_and_go(PauseBench& bench) {
    bench.at(0ns, [&] { bench.fill(); });
    // PCIe stalls for long, then lets a few packets through, again and again.
    for (std::int64_t i = 1; i <= 400; ++i) {
        bench.at(i * 20us, [&bench, i] { bench.drain(static_cast<std::size_t>(1 + i % 7)); });
    }
    for (std::int64_t i = 1; i <= 400; ++i) {
        bench.at(8100us + i * 1us, [&bench] { bench.drain(10); });
    }
    bench.run();
    CHECK(bench.sent == 400);
    CHECK(bench.transport.seen.size() == 400);
    CHECK(statistic(bench.ingress, "pauses") > 0);
    check_at_rest(bench.ingress);
    check_at_rest(bench.sender);
}

TEST_CASE("ingress: pause frames keep the RX buffer from overflowing while PCIe stalls") {
    PauseBench bench(LinkParams{}, {});
    stall_and_go(bench);
    // The buffer was used: all but the headroom.
    CHECK(bench.ingress.pools()[0]->occupancy().high_water() > 230'000);
}

TEST_CASE("ingress: a small buffer behind a long cable does not overflow either") {
    LinkParams link;
    link.length = Length{100'000};  // 100 m: 592 ns of flight, 20.5 KB on their way back and forth
    PortParams params;
    params.rx_buffer = 36_KiB;
    PauseBench bench(link, params);
    stall_and_go(bench);
}

TEST_CASE("ingress: the peer goes on once there is room") {
    PauseBench bench(LinkParams{}, {});
    bench.limit = 100;
    bench.at(0ns, [&] { bench.fill(); });
    bench.at(100us, [&] {
        CHECK(bench.transport.seen.size() < 64);
        bench.drain(100);
    });
    bench.at(200us, [&] { bench.drain(100); });
    bench.run();
    CHECK(bench.transport.seen.size() == 100);
    CHECK(statistic(bench.ingress, "pauses") == 1);
    // Stopped until 100 us, since the buffer had only its headroom left: 256 KiB less some 25 KiB take about 19 us.
    CHECK(Picoseconds(statistic(bench.ingress, "peer_held")) > 78us);
    CHECK(Picoseconds(statistic(bench.ingress, "peer_held")) < 84us);
    check_at_rest(bench.ingress);
}

TEST_CASE("ingress: a damaged packet is dropped without a word", "[X4][X28]") {
    PauseBench bench(plain_link(), {});
    Packet packet = request(4096, 1);
    packet.payload = bench.payloads.take();
    packet.damaged = true;
    Packet whole = request(8, 2);
    bench.at(0ns, [&] {
        bench.ingress.arrive(packet, {0ns, 0ns});
        bench.ingress.arrive(whole, {1ns, 1ns});
    });
    bench.run();
    REQUIRE(bench.transport.seen.size() == 1);
    CHECK(bench.transport.seen[0].packet.psn == Psn{2});
    CHECK(statistic(bench.ingress, "damaged") == 1);
    CHECK(statistic(bench.ingress, "packets") == 2);
    CHECK(bench.payloads.in_use() == 0);
    CHECK(bench.far.seen.empty());                                    // nothing goes back
    CHECK(bench.ingress.pools()[0]->occupancy().high_water() == 90);  // 82 + 8: only the whole one took room
}

TEST_CASE("ingress: without pause frames what finds no room in the RX buffer is dropped", "[X28]") {
    PortParams params;
    params.pause = false;
    params.rx_buffer = 16_KiB;
    PauseBench bench(plain_link(), params);
    bench.limit = 5;
    bench.at(0ns, [&] { bench.fill(); });
    bench.at(10us, [&] {
        // Three packets of 4178 bytes fit into 16384.
        CHECK(bench.transport.seen.size() == 3);
        bench.drain(1);
        bench.limit = 6;
        bench.fill();
    });
    bench.at(20us, [&] { bench.drain(10); });
    bench.run();
    CHECK(bench.transport.seen.size() == 4);
    CHECK(statistic(bench.ingress, "overflows") == 2);
    CHECK(statistic(bench.ingress, "pauses") == 0);
    check_at_rest(bench.ingress);
}

TEST_CASE("ingress: a management datagram needs no room in the RX buffer, so none is lost") {
    PortParams params;
    params.pause = false;
    params.rx_buffer = 16_KiB;
    PauseBench bench(plain_link(), params);
    bench.limit = 3;
    Packet datagram = request(256, 9);
    datagram.opcode = Opcode::ud_send_only;
    bench.at(0ns, [&] { bench.fill(); });
    bench.at(10us, [&] {
        bench.ingress.arrive(datagram, {10us, 10us});
        bench.ingress.arrive(request(4096, 4), {10us, 10us});
    });
    bench.run();
    // Three packets of 4178 bytes, and no fourth, fit into 16384: the datagram passes, the other one does not.
    REQUIRE(bench.transport.seen.size() == 4);
    CHECK(bench.transport.seen[3].packet.psn == Psn{9});
    CHECK(statistic(bench.ingress, "overflows") == 1);
    CHECK(bench.ingress.pools()[0]->occupancy().high_water() == 12'534);  // 3 x 4178
}

TEST_CASE("ingress: packets that faults bunch find no room in spite of pause frames, and are dropped", "[X28]") {
    PortParams params;
    params.rx_buffer = 36_KiB;
    PauseBench bench(plain_link(), params);
    bench.ingress.expect_bunches();
    // Ten packets of 4178 bytes at once: 36,864 bytes hold eight of them.
    bench.at(0ns, [&] {
        for (std::uint32_t psn = 0; psn < 10; ++psn) {
            bench.ingress.arrive(request(4096, psn), {0ns, 0ns});
        }
    });
    bench.run();
    CHECK(bench.transport.seen.size() == 8);
    CHECK(statistic(bench.ingress, "overflows") == 2);
    CHECK(statistic(bench.ingress, "pauses") == 1);
}

}  // namespace ndsim::test::ingress_test

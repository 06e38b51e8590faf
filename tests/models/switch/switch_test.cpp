// SPDX-License-Identifier: Apache-2.0
#include "sim/base/invariant_error.hpp"
#include "tests/models/switch/switch_bench.hpp"

namespace ndsim::test::switch_test {

using Psns = std::vector<std::uint32_t>;

// 4178 bytes take 334.24 ns at 100 Gbps, their header of 82 bytes 6.56 ns. Flight 50 ns, switch 300 ns.
TEST_CASE("switch: a packet that is stored first takes both serialisations, both flights and the latency",
          "[formula]") {
    SwitchBench bench(stored());
    bench.send(1us, 0, bench.packet(1, 7));
    bench.finish();
    REQUIRE(bench.far[1].psns() == Psns{7});
    CHECK(bench.far[1].seen[0].at.end == 1us + 2 * 334'240_ps + 2 * 50ns + 300ns);
    CHECK(statistic(bench.port(1), "packets") == 1);
    CHECK(statistic(bench.port(1), "bytes") == 4178);
}

TEST_CASE("switch: a packet that is cut through waits for its header only", "[formula]") {
    SwitchBench bench(with(Forwarding::cut_through));
    bench.send(1us, 0, bench.packet(1, 7));
    bench.finish();
    REQUIRE(bench.far[1].psns() == Psns{7});
    CHECK(bench.far[1].seen[0].at.end == 1us + 6'560_ps + 334'240_ps + 2 * 50ns + 300ns);
}

TEST_CASE("switch: onto a faster lane a packet that is cut through starts so late that it never runs dry",
          "[formula]") {
    SwitchBench bench(with(Forwarding::cut_through), {100_Gbps, 400_Gbps, 25_Gbps, 100_Gbps});
    bench.send(1us, 0, bench.packet(1, 7));  // its last byte leaves the switch as soon as it is there
    bench.send(3us, 0, bench.packet(2, 8));  // onto a slower one it starts with its header: 4178 bytes take 1336.96 ns
    bench.finish();
    REQUIRE(bench.far[1].psns() == Psns{7});
    CHECK(bench.far[1].seen[0].at.end == 1us + 334'240_ps + 2 * 50ns + 300ns);
    REQUIRE(bench.far[2].psns() == Psns{8});
    CHECK(bench.far[2].seen[0].at.end == 3us + 6'560_ps + 1'336'960_ps + 2 * 50ns + 300ns);
}

// Links of 2 m: flight 102 ns; the switch takes 333 ns.
TEST_CASE("switch: two hops of the default links take what the page says", "[formula]") {
    Bench bench;
    FarEnd far;
    const std::vector<std::string> ports{"A", "B", "C", "D"};
    SwitchParams stored;
    stored.forwarding = Forwarding::store_and_forward;
    Switch cut("cut", bench.timeline, {}, ports, bench.ledgers, bench.payloads);
    Switch store("store", bench.timeline, stored, ports, bench.ledgers, bench.payloads);
    std::vector<std::unique_ptr<Cable>> cables;
    const auto cable = [&](const std::string& name) -> Cable& {
        return *cables.emplace_back(std::make_unique<Cable>(name.c_str(), bench.timeline, LinkParams{}, 0_B));
    };
    for (Switch* const whole : {&cut, &store}) {
        const std::string name = whole->basename();
        Cable& there = cable(name + "_in");
        Cable& onward = cable(name + "_out");
        there.out.bind(whole->port(0).in);
        whole->port(1).lane.bind(onward.in);
        onward.out.bind(far);
        whole->add_way(HostId{1}, 1);
        bench.at(1us, [&there] {
            Packet packet;
            packet.opcode = Opcode::send_only;
            packet.payload_bytes = 4096;
            packet.to = HostId{1};
            (void)there.put(packet);
        });
    }
    bench.run();
    REQUIRE(far.seen.size() == 2);
    CHECK(far.seen[0].at.end == 1us + 877'800_ps);
    CHECK(far.seen[1].at.end == 1us + 1'205'480_ps);
}

TEST_CASE("switch: packets for one port leave in the order in which they came, without a gap", "[formula]") {
    SwitchBench bench(stored());
    bench.queue(2us, 3, bench.packet(1, 1));
    bench.queue(2us + 1_ps, 0, bench.packet(1, 2));
    bench.queue(2us + 2_ps, 2, bench.packet(1, 3));
    bench.finish();
    REQUIRE(bench.far[1].psns() == Psns{1, 2, 3});
    // The n-th is on the lane for n packets' time, and in flight for 50 ns.
    for (std::int64_t n = 1; n <= 3; ++n) {
        CHECK(bench.far[1].seen[static_cast<std::size_t>(n - 1)].at.end == 2us + n * 334'240_ps + 50ns);
    }
}

TEST_CASE(
    "switch: packets of one picosecond take turns by the ports at which they came in, whoever was told of first") {
    SwitchBench bench(stored(1024_KiB, 2 * 4178_B));
    for (const std::int64_t round : {0, 1, 2, 3}) {
        for (const std::uint32_t from : {3U, 0U, 2U}) {
            bench.queue(2us + round * 334'240_ps, from, bench.packet(1, from));
        }
    }
    bench.finish();
    // Behind port 1, where they leave, is port 2: it is first, and port 3 takes the rest of the room. From then on
    // there is room for one of the three, and it is for the port behind the one that was taken last.
    CHECK(bench.far[1].psns() == Psns{2, 3, 0, 2, 3});
    CHECK(statistic(bench.port(1), "drops") == 7);
}

TEST_CASE("switch: senders without a pause share a port packet by packet") {
    SwitchBench bench(stored());
    for (std::uint32_t i = 0; i < 20; ++i) {
        for (const std::uint32_t from : {0U, 2U, 3U}) {
            bench.send(1us + i * 334'240_ps, from, bench.packet(1, from));
        }
    }
    bench.finish();
    REQUIRE(bench.far[1].seen.size() == 60);
    for (std::size_t i = 0; i < 60; ++i) {
        CHECK(bench.far[1].psns()[i] == std::array{2U, 3U, 0U}.at(i % 3));
    }
}

TEST_CASE("switch: ports do not wait for each other") {
    SwitchBench bench(stored());
    bench.queue(2us, 0, bench.packet(1, 1));
    bench.queue(2us, 2, bench.packet(1, 2));
    bench.queue(2us, 2, bench.packet(3, 3));
    bench.finish();
    REQUIRE(bench.far[3].psns() == Psns{3});
    CHECK(bench.far[3].seen[0].at.end == 2us + 334'240_ps + 50ns);
}

TEST_CASE("switch: a packet whose ICRC is wrong goes on") {
    SwitchBench bench(stored());
    Packet packet = bench.packet(1, 1);
    packet.damaged = true;
    bench.send(1us, 0, packet);
    bench.finish();
    REQUIRE(bench.far[1].seen.size() == 1);
    CHECK(bench.far[1].seen[0].packet.damaged);
}

TEST_CASE("switch: a packet to a host that no port leads to is a mistake") {
    SwitchBench bench(stored());
    CHECK(&bench.whole.way_to(HostId{3}) == &bench.port(3));
    CHECK_THROWS_AS(bench.whole.way_to(HostId{4}), InvariantError);
    bench.whole.add_way(HostId{9}, 2);
    CHECK(&bench.whole.way_to(HostId{9}) == &bench.port(2));
    CHECK_THROWS_AS(bench.whole.way_to(HostId{8}), InvariantError);
}

// Of three packets for port 1, that of port 0 is the last, and of the request returned.
RequestId queue_behind_two(SwitchBench& bench) {
    const RequestId request = bench.ledgers.of(HostId{0}).open(0ns).id;
    for (const std::uint32_t from : {2U, 3U, 0U}) {
        Packet packet = bench.packet(1, from);
        packet.request = from == 0 ? request : RequestId{};
        bench.queue(3us, from, packet);
    }
    return request;
}

// Three packets of 4178 bytes, 334.24 ns, come into the queue at 3 us, by port 1 into which they go: first that of port
// 2, then those of 3 and 0. The third waits for two, and then is on the lane and in flight.
TEST_CASE("switch: the ledger has the wait behind other packets as switch, and the rest as wire", "[formula]") {
    SwitchBench bench(stored());
    const RequestId request = queue_behind_two(bench);
    LedgerBook& book = bench.ledgers.of(HostId{0});
    bench.at(10us, [&] {
        const Ledger& ledger = *book.find(request.number);
        CHECK(ledger.accounts[static_cast<std::size_t>(Account::switch_)] == 2 * 334'240_ps);
        CHECK(ledger.accounts[static_cast<std::size_t>(Account::wire)] == 3us + 334'240_ps + 50ns);
        CHECK(ledger.total() == 3us + 3 * 334'240_ps + 50ns);
    });
    bench.finish();
}

// Port 1 is held from 3.2 us, while the packet waits behind two others, of which one is on the lane, to 6 us. Then the
// second one leaves, and 334.24 ns later the third.
TEST_CASE("switch: a hold of the port parts the wait in its queue") {
    SwitchBench bench(stored());
    const RequestId request = queue_behind_two(bench);
    LedgerBook& book = bench.ledgers.of(HostId{0});
    bench.at(1us, [&] { bench.port(1).pause(true, 3us + 200ns); });
    bench.at(1us, [&] { bench.port(1).pause(false, 6us); });
    bench.at(10us, [&] {
        const Ledger& ledger = *book.find(request.number);
        CHECK(ledger.accounts[static_cast<std::size_t>(Account::switch_)] == 200ns + 334'240_ps);
        CHECK(ledger.accounts[static_cast<std::size_t>(Account::pause)] == 2us + 800ns);
        CHECK(ledger.accounts[static_cast<std::size_t>(Account::wire)] == 3us + 334'240_ps + 50ns);
    });
    bench.finish();
}

// It comes while the port is held, so what it waits for is the hold.
TEST_CASE("switch: the ledger has the way through the switch as wire, and the hold of its port as pause") {
    SwitchBench bench(stored());
    LedgerBook& book = bench.ledgers.of(HostId{0});
    const RequestId request = book.open(0ns).id;
    Packet packet = bench.packet(1, 1);
    packet.request = request;
    bench.at(1us, [&] { bench.port(1).pause(true, 2us); });
    bench.at(1us, [&] { bench.port(1).pause(false, 5us); });
    bench.queue(3us, 0, packet);
    bench.at(10us, [&] {
        const Ledger& ledger = *book.find(request.number);
        CHECK(ledger.accounts[static_cast<std::size_t>(Account::wire)] == 3us + 334'240_ps + 50ns);
        CHECK(ledger.accounts[static_cast<std::size_t>(Account::pause)] == 2us);
        CHECK(ledger.total() == 5us + 334'240_ps + 50ns);
    });
    bench.finish();
}

}  // namespace ndsim::test::switch_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wire/wire_bench.hpp"

namespace ndsim::test::egress_test {

using Order = std::vector<std::int64_t>;
constexpr std::int64_t kAck1 = -std::int64_t{kFirstQp};
constexpr std::int64_t kAck2 = kAck1 - 1;

TEST_CASE("egress: a packet starts when it is built, and the next when the lane is free", "[formula]") {
    EgressBench bench;
    bench.at(0ns, [&] {
        bench.send(request(918, 1), {100ns, 100ns});  // 1002 bytes: 80.16 ns
        bench.send(request(0, 2), {100ns, 100ns});
    });
    bench.run();
    REQUIRE(bench.far.seen.size() == 2);
    CHECK(bench.far.seen[0].at.end == 100ns + 80'160_ps + 50ns);
    CHECK(bench.far.seen[1].at.end == 100ns + 80'160_ps + 6'720_ps + 50ns);
    CHECK(bench.far.seen[0].packet.number == 1);
    CHECK(bench.far.seen[1].packet.number == 2);
    CHECK(bench.far.seen[1].packet.from == kPortHost);
    check_at_rest(bench.egress);
}

TEST_CASE("egress: a packet whose payload is still coming starts so late that it never runs dry", "[formula]") {
    EgressBench bench;
    // 4178 bytes take 334.24 ns. The last 512 bytes, 40.96 ns, are there at 1 us: not before 706.72 ns.
    bench.at(0ns, [&] { bench.send(request(4096), {100ns, 1us}); });
    bench.run();
    CHECK(bench.far.seen.at(0).at.end == 1us + 40'960_ps + 50ns);
}

TEST_CASE("egress: a packet whose payload comes faster than the lane starts with its first grain", "[formula]") {
    EgressBench bench;
    bench.at(0ns, [&] { bench.send(request(4096), {100ns, 300ns}); });
    bench.run();
    CHECK(bench.far.seen.at(0).at.end == 100ns + 334'240_ps + 50ns);
}

TEST_CASE("egress: packets of one queue pair leave in the order in which they were given") {
    EgressBench bench;
    bench.at(0ns, [&] {
        bench.send(request(4096, 1), {100ns, 1us});       // cannot start before 706.72 ns
        bench.send(request(0, 2), {100ns, 100ns});        // an empty message behind it is ready
        bench.send(request(0, 3, kQp2), {200ns, 200ns});  // another queue pair's does not wait
    });
    bench.run();
    CHECK(bench.order() == Order{3, 1, 2});
    CHECK(bench.far.seen.at(0).at.end == 200ns + 6'720_ps + 50ns);
    check_at_rest(bench.egress);
}

// 1024 B and 82 B of headers and gaps are 1106 B at 80 ps: 88.48 ns on the lane each.
TEST_CASE("egress: requests that must be answered are told when their last byte has left", "[X15]") {
    EgressBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t psn = 0; psn < 4; ++psn) {
            Packet packet = request(1024, psn);
            packet.ack_request = psn == 1;
            packet.opcode = psn == 2 ? Opcode::read_request : packet.opcode;
            bench.send(packet, {0ns, 0ns});
        }
    });
    bench.run();
    const auto left = [&](std::size_t n) { return bench.far.seen.at(n).at.end - bench.cable.flight(); };
    using Sent = std::vector<std::pair<std::uint32_t, Picoseconds>>;
    CHECK(bench.requests.sent == Sent{{1, left(1)}, {2, left(2)}});
    CHECK(left(1) == 2 * 88'480_ps);
}

TEST_CASE("egress: acknowledgements and requests take turns") {
    EgressBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 1; i <= 4; ++i) {
            bench.send(request(1000, i), {10ns, 10ns});
        }
    });
    bench.at(20ns, [&] {  // the first request is on the lane
        bench.egress.send_ack(kQp, 30ns);
        bench.egress.send_ack(kQp2, 31ns);
    });
    bench.run();
    CHECK(bench.order() == Order{1, kAck1, 2, kAck2, 3, 4});
    check_at_rest(bench.egress);
}

TEST_CASE("egress: acknowledgements of a queue pair that wait together become one", "[X19]") {
    EgressBench bench;
    bench.at(0ns, [&] { bench.send(request(4096, 1), {10ns, 10ns}); });
    bench.at(20ns, [&] {
        bench.egress.send_ack(kQp, 30ns);
        bench.egress.send_ack(kQp, 40ns);
        bench.egress.send_ack(kQp, 50ns);
        bench.egress.send_ack(kQp, 600ns);  // not yet due when the lane is free
    });
    bench.run();
    CHECK(bench.order() == Order{1, kAck1, kAck1});
    CHECK(bench.far.seen.at(2).at.end == 600ns + 86 * 80_ps + 50ns);
    CHECK(statistic(bench.egress, "acks") == 2);
    CHECK(statistic(bench.egress, "acks_merged") == 2);
}

TEST_CASE("egress: the TX FIFO holds a packet from its reservation until it has left the lane", "[limit]") {
    PortParams params;
    params.tx_fifo = 8_KiB;
    EgressBench bench(params);
    // 8192 bytes hold one packet of 4178 bytes and some, not two.
    bench.at(0ns, [&] {
        bench.send(request(4096, 1), {100ns, 100ns});
        CHECK(bench.reserve(8192_B - 4178_B));
        bench.egress.release(8192_B - 4178_B);
        CHECK_FALSE(bench.reserve(4178_B));
    });
    bench.at(434'239_ps, [&] {
        CHECK(bench.work.resumed.empty());
        CHECK_FALSE(bench.reserve(4178_B));
    });
    bench.run();
    REQUIRE_FALSE(bench.work.resumed.empty());
    CHECK(bench.work.resumed.back() == 434'240_ps);
    CHECK(bench.reserve(8192_B));
}

TEST_CASE("egress: who was refused room hears of a reservation that is given up") {
    PortParams params;
    params.tx_fifo = 8_KiB;
    EgressBench bench(params);
    bench.at(0ns, [&] {
        CHECK(bench.reserve(8000_B));
        CHECK_FALSE(bench.reserve(4178_B));
    });
    bench.at(1us, [&] { bench.egress.release(8000_B); });
    bench.run();
    CHECK(bench.work.resumed == std::vector<Picoseconds>{1us});
}

TEST_CASE("egress: a paused port finishes its packet and sends nothing until it may go on") {
    EgressBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 1; i <= 3; ++i) {
            bench.send(request(918, i), {0ns, 0ns});
        }
        bench.egress.send_ack(kQp, 0ns);
        bench.egress.pause(true, 10ns);
        bench.egress.pause(false, 2us);
    });
    bench.run();
    REQUIRE(bench.far.seen.size() == 4);
    CHECK(bench.far.seen[0].at.end == 80'160_ps + 50ns);
    for (std::size_t i = 1; i < 4; ++i) {
        CHECK(bench.far.seen[i].at.end > 2050ns);
    }
    CHECK(statistic(bench.egress, "paused") == 1'990'000);
    check_at_rest(bench.egress);
}

TEST_CASE("egress: a control packet needs no room in the TX FIFO", "[formula]") {
    PortParams params;
    params.tx_fifo = 8_KiB;
    EgressBench bench(params);
    Packet datagram;
    datagram.opcode = Opcode::ud_send_only;
    datagram.payload_bytes = 256;
    bench.at(0ns, [&] {
        CHECK(bench.reserve(8192_B));
        bench.egress.send_control(datagram, 35ns);
    });
    bench.run();
    // 82 + 8 + 256 bytes.
    CHECK(bench.far.seen.at(0).at.end == 35ns + 346 * 80_ps + 50ns);
}

TEST_CASE("egress: the ledger is charged for the lane behind others, then for the wire") {
    EgressBench bench;
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    Packet second = request(0, 2);
    second.request = ledger.id;
    bench.at(0ns, [&] {
        bench.send(request(918, 1), {0ns, 0ns});
        bench.send(second, {0ns, 0ns});
    });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::tx)] == 80'160_ps);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::wire)] == 6'720_ps + 50ns);
}

}  // namespace ndsim::test::egress_test

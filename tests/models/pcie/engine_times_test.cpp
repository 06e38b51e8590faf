// SPDX-License-Identifier: Apache-2.0
#include "tests/models/pcie/pcie_bench.hpp"

namespace ndsim::test::engine_times_test {

constexpr auto ser = PcieBench::ser;

// One way takes 135 ns. A credit comes back 30 ns and one way after its buffer is free: at the root port that of a
// write when it is visible, 215 ns after it has left, that of a request when it is there.
constexpr Picoseconds kOneWay = 135ns;
constexpr Picoseconds kBack = 30ns + kOneWay;

Picoseconds spent(const PcieBench& bench, std::string_view what) {
    return Picoseconds(statistic(bench.link, what));
}

// Runs up to 10 us.
void run(PcieBench& bench) {
    bench.at(10us, [] {});
    bench.run();
    check_engines(bench.link);
    bench.check_done();
}

TEST_CASE("pcie times: writes without posted headers block the way up") {
    PcieParams params;
    params.posted_headers = 34;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 3; ++i) {
            bench.write(i * 4096ULL, 4096, i);  // 16 TLPs each
        }
    });
    run(bench);
    const Picoseconds free = ser(4480) + 215ns + kBack;
    CHECK(spent(bench, "up.posted_headers") == free - ser(2 * 4480));
    CHECK(spent(bench, "up.posted_data") == 0ns);
    CHECK(spent(bench, "up_blocked") == spent(bench, "up.posted_headers"));
    CHECK(spent(bench, "up.busy") == ser(2 * 4480) + ser(4480));
    CHECK(spent(bench, "up_busy") == spent(bench, "up.busy"));
    CHECK(spent(bench, "down.idle") == 10us);
}

TEST_CASE("pcie times: the credits that come last are those that blocked") {
    PcieParams params;
    params.posted_data = 272;
    params.posted_headers = 18;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        bench.write(0, 4096, 0);    // 256 units of data, 16 headers
        bench.write(4096, 256, 1);  // 16 units and a header: all data is taken
        bench.write(8192, 16, 2);   // a header is left, but no data
    });
    run(bench);
    const Picoseconds free = ser(4480) + 215ns + kBack;
    CHECK(spent(bench, "up.posted_data") == free - ser(4480 + 280));
    CHECK(spent(bench, "up.posted_headers") == 0ns);
    CHECK(spent(bench, "up_blocked") == spent(bench, "up.posted_data"));
}

TEST_CASE("pcie times: a read without credits blocks the way up but for the writes that pass it") {
    ThirtyFiveReads bench(4);
    bench.at(100ns, [&] { bench.write(0x8000, 64, 1, true); });
    bench.at(200ns, [&] { bench.write(0x9000, 64, 2); });
    run(bench);
    const Picoseconds free = ser(24) + kOneWay + kBack;
    CHECK(spent(bench, "up.nonposted_headers") == free - ser(34 * 24) - 2 * ser(88));
    CHECK(spent(bench, "up_blocked") == 0ns);  // that of writes
    CHECK(spent(bench, "up.busy") == ser(34 * 24) + ser(24) + 2 * ser(88));
}

TEST_CASE("pcie times: a store without credits blocks the way down") {
    PcieParams params;
    params.bar_posted_headers = 1;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        bench.link.store(0ns, {}, bench.core);
        bench.link.store(0ns, {}, bench.core);
    });
    run(bench);
    const Picoseconds free = ser(32) + kOneWay + kBack;
    CHECK(spent(bench, "down.bar_headers") == free - ser(32));
    CHECK(spent(bench, "down.busy") == 2 * ser(32));
    CHECK(spent(bench, "up.idle") == 10us);
}

// Two trains of completions are there when the second of two stores comes, in the first train. The NIC's only credit is
// back at 1.5 us.
void blocked_behind_completions(PcieBench& bench, Picoseconds fault) {
    bench.bar.holds = 1us;
    bench.at(0ns, [&] {
        bench.read(0, 4096, 1);
        bench.read(4096, 4096, 2);
    });
    bench.at(200ns, [&] {
        bench.link.store(200ns, {}, bench.core);
        bench.link.store(300ns, {}, bench.core);
    });
    bench.at(900ns, [&] { bench.link.stall(900ns + fault); });
    run(bench);
    const Picoseconds free = 200ns + ser(32) + kOneWay + 1us + kBack;
    const Picoseconds sent = ser(24) + 255ns + ser(2 * 8 * 552);
    CHECK(sent < 900ns);
    CHECK(spent(bench, "down.stall") == fault);
    CHECK(spent(bench, "down.bar_headers") == free - sent - fault);
}

PcieParams one_store() {
    PcieParams params;
    params.bar_posted_headers = 1;
    return params;
}

TEST_CASE("pcie times: a store without credits blocks the way down again behind each train of completions") {
    PcieBench bench(one_store());
    blocked_behind_completions(bench, 0ns);
}

TEST_CASE("pcie times: a store without credits blocks the way down again behind a fault") {
    PcieBench bench(one_store());
    blocked_behind_completions(bench, 100ns);
}

// The third write has its credits when the first is drained, and its data 2 us later.
TEST_CASE("pcie times: a write that waits for its own data does not lack credits") {
    PcieParams params;
    params.posted_headers = 34;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 2; ++i) {
            bench.write(i * 4096ULL, 4096, i);  // 16 TLPs each
        }
    });
    bench.at(600ns, [&] {
        WriteTrain train;
        train.to = Memory::kBase + 8192;
        train.length = 4096;
        train.payload = bench.payloads.take();
        train.last_use = true;
        train.ready = {600ns, 3us};
        train.token = 2;
        bench.link.write(train);
    });
    run(bench);
    REQUIRE(ser(4480) + 215ns + kBack > 600ns);  // when the credits are back
    CHECK(spent(bench, "up_blocked") == 0ns);
    CHECK(statistic(bench.link, "credit_waits") == 0);
    CHECK(bench.device.write_waits.empty());
}

TEST_CASE("pcie times: a link that a fault holds is blocked both ways, behind what is on it") {
    PcieBench bench;
    bench.at(0ns, [&] { bench.write(0, 4096, 0); });
    bench.at(100ns, [&] { bench.link.stall(1us); });
    bench.at(200ns, [&] { bench.write(4096, 64, 1); });
    run(bench);
    CHECK(spent(bench, "up.stall") == 1us - ser(4480));
    CHECK(spent(bench, "down.stall") == 900ns);
    CHECK(spent(bench, "up.busy") == ser(4480) + ser(88));
    CHECK(bench.device.writes.at(1).issued == 1us + ser(88));
}

}  // namespace ndsim::test::engine_times_test

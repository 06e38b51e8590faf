// SPDX-License-Identifier: Apache-2.0
#include "tests/models/pcie/pcie_bench.hpp"

namespace ndsim::test::credits_test {

constexpr auto ser = PcieBench::ser;

// Credits of a write come back once it is visible, after UpdateFC 30 ns and one way 135 ns.
constexpr Picoseconds kBack = 30ns + 135ns;

TEST_CASE("pcie: a write without credits waits until the first ones are back, to the picosecond", "[formula][limit]") {
    PcieParams params;
    params.posted_headers = 34;
    PcieBench bench(params);
    // Two writes of 4 KiB take 32 headers; the third needs 16, and has them once the first is drained.
    const Picoseconds free = ser(4480) + 215ns + kBack;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 3; ++i) {
            bench.write(i * 4096ULL, 4096, i);
        }
    });
    bench.run();
    REQUIRE(bench.device.writes.size() == 3);
    CHECK(bench.device.writes[1].issued == ser(2 * 4480));
    CHECK(bench.device.writes[2].issued == free + ser(4480));
    // The device hears of it, and the direction rests from the second write's end on.
    REQUIRE(bench.device.write_waits.size() == 1);
    CHECK(bench.device.write_waits[0].token == 2);
    CHECK(bench.device.write_waits[0].wait.start == ser(2 * 4480));
    CHECK(bench.device.write_waits[0].wait.end == free);
    CHECK(Picoseconds(statistic(bench.link, "up_blocked")) == free - ser(2 * 4480));
    bench.check_done();
}

TEST_CASE("pcie: posted data credits count units of 16 bytes") {
    PcieParams params;
    params.posted_data = 272;  // 4352 bytes
    PcieBench bench(params);
    bench.at(0ns, [&] {
        bench.write(0, 4096, 0);    // 256 units
        bench.write(4096, 256, 1);  // 16 units: all are taken
        bench.write(8192, 1, 2);    // 1 unit: waits for the first write
    });
    bench.run();
    const Picoseconds free = ser(4480) + 215ns + kBack;
    REQUIRE(bench.device.writes.size() == 3);
    CHECK(bench.device.writes[1].issued == ser(4480 + 280));
    CHECK(bench.device.writes[2].issued == free + ser(25));
    bench.check_done();
}

TEST_CASE("pcie: a read without credits waits for the first request that the root complex has taken") {
    ThirtyFiveReads bench(512);
    bench.run();
    REQUIRE(bench.device.reads.size() == 35);
    // The first request is at the root port after ser(24) + 135 ns; its credit is back 30 + 135 ns later, at
    // 301.604 ns. The root complex has the data of the 35th at 301.604 + 1.604 + 135 + 120 ns = 558.2 ns; the
    // completions of the 34 before it keep the link busy until 256.604 + 34 x 552 B x 66.8 ps = 1510.6 ns, so look at
    // the request's time on the link: it is the last of 35 x 24 bytes.
    CHECK(statistic(bench.link, "read_requests") == 35);
    CHECK(bench.device.reads[34].arrival.end == ser(24) + 255ns + ser(35 * 552) + 135ns);
    bench.check_done();
}

TEST_CASE("pcie: a read's credit is back after request, one way, UpdateFC and one way", "[formula][limit]") {
    ThirtyFiveReads bench(4);
    bench.run();
    REQUIRE(bench.device.reads.size() == 35);
    const Picoseconds free = ser(24) + 135ns + kBack;
    REQUIRE(free > ser(34 * 24));
    CHECK(bench.device.reads[33].arrival.end == ser(34 * 24) + 255ns + ser(24) + 135ns);
    CHECK(bench.device.reads[34].arrival.end == free + ser(24) + 255ns + ser(24) + 135ns);
    REQUIRE(bench.device.read_waits.size() == 1);
    CHECK(bench.device.read_waits[0].token == 34);
    CHECK(bench.device.read_waits[0].wait.start == 0ns);
    CHECK(bench.device.read_waits[0].wait.end == free);
    bench.check_done();
}

// PCIe requires that posted writes pass requests that wait for credits.
TEST_CASE("pcie: a write passes a read that waits for credits") {
    ThirtyFiveReads bench(4);
    // 34 requests keep the link busy until 54.5 ns; the 35th waits until 301.6 ns.
    bench.at(100ns, [&] { bench.write(0x8000, 64, 1, true); });
    bench.at(200ns, [&] { bench.write(0x9000, 64, 2); });
    bench.run();
    REQUIRE(bench.device.writes.size() == 2);
    CHECK(bench.device.writes[0].issued == 100ns + ser(88));
    CHECK(bench.device.writes[1].issued == 200ns + ser(88));
    CHECK(bench.device.reads[34].arrival.end == ser(24) + 135ns + kBack + ser(24) + 255ns + ser(24) + 135ns);
    bench.check_done();
}

// Requests never pass earlier posted writes.
TEST_CASE("pcie: a read does not pass a write that waits for credits") {
    PcieParams params;
    params.posted_headers = 34;
    PcieBench bench(params);
    std::vector<std::byte> got(8);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 2; ++i) {
            bench.write(i * 4096ULL, 4096, i);
        }
    });
    bench.at(600ns, [&] { bench.write(0x8000, 4096, 2); });  // has its credits at 679.3 ns
    bench.at(610ns, [&] { bench.read(0x8000, 8, 3, got.data()); });
    bench.run();
    const Picoseconds free = ser(4480) + 215ns + kBack;
    REQUIRE(free > 610ns);
    CHECK(bench.device.writes.at(2).issued == free + ser(4480));
    CHECK(got[0] == std::byte{0xA5});
    // Both have waited for the write's credits.
    REQUIRE(bench.device.read_waits.size() == 1);
    CHECK(bench.device.read_waits[0].token == 3);
    CHECK(bench.device.read_waits[0].wait.start == 610ns);
    CHECK(bench.device.read_waits[0].wait.end == free);
    CHECK(statistic(bench.link, "credit_waits") == 2);
    bench.check_done();
}

TEST_CASE("pcie: a store waits while the NIC holds the credits of those before it", "[formula][limit]") {
    PcieParams params;
    params.bar_posted_headers = 4;
    PcieBench bench(params);
    bench.bar.holds = 1us;
    Mmio mmio;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 5; ++i) {
            mmio.index = i;
            bench.link.store(0ns, mmio, bench.core);
        }
    });
    bench.run();
    REQUIRE(bench.bar.stores.size() == 5);
    CHECK(bench.bar.stores[3].at == ser(4 * 32) + 135ns);
    // The first is taken 1 us after it has arrived.
    CHECK(bench.bar.stores[4].at == ser(32) + 135ns + 1us + kBack + ser(32) + 135ns);
    // The core hears when the link has taken each: with its credit.
    CHECK(bench.core.taken == std::vector<Picoseconds>{0ns, 0ns, 0ns, 0ns, ser(32) + 135ns + 1us + kBack});
    bench.check_done();
}

}  // namespace ndsim::test::credits_test

// SPDX-License-Identifier: Apache-2.0
#include "tests/models/pcie/pcie_bench.hpp"

namespace ndsim::test::formulae_test {

constexpr auto ser = PcieBench::ser;

// 4 KiB whose first grain is there at once and whose last byte at `last`: s = 4096 + 16 x 24 = 4480 bytes, the last TLP
// of 256 + 24.
void write_while_it_comes(PcieBench& bench, Picoseconds last) {
    bench.at(0ns, [&bench, last] {
        WriteTrain train;
        train.to = Memory::kBase;
        train.length = 4096;
        train.payload = bench.payloads.take();
        train.last_use = true;
        train.ready = {0ns, last};
        bench.link.write(train);
    });
    bench.run();
    REQUIRE(bench.device.writes.size() == 1);
    bench.check_done();
}

TEST_CASE("pcie: a write whose data comes late leaves when its last TLP has followed it", "[formula]") {
    PcieBench bench;
    write_while_it_comes(bench, 1us);
    // max(0, 1 us + t(280) - t(4480)) + t(4480): the last TLP leaves right behind the data.
    CHECK(bench.device.writes[0].issued == 1us + ser(280));
    CHECK(bench.device.writes[0].visible == 1us + ser(280) + 135ns + 80ns);
}

TEST_CASE("pcie: a write whose data comes in time leaves as if all of it were there", "[formula]") {
    PcieBench bench;
    // t(4480) = 299.4 ns, t(280) = 18.8 ns: data that is there at 280.6 ns or earlier costs nothing.
    write_while_it_comes(bench, ser(4480) - ser(280));
    CHECK(bench.device.writes[0].issued == ser(4480));
}

TEST_CASE("pcie: switches on the way count for each direction", "[formula]") {
    PcieParams params;
    params.switch_hops = 2;
    PcieBench bench(params);
    // 135 ns + 2 x 115 ns.
    const Picoseconds one_way = 365ns;
    bench.at(0ns, [&] { bench.read(0, 64, 1); });
    bench.at(2us, [&] { bench.write(64, 64, 2); });
    bench.at(4us, [&] { bench.link.store(4us, {}, bench.core); });
    bench.run();
    CHECK(bench.device.reads.at(0).arrival.end == ser(24) + one_way + 120ns + ser(84) + one_way);
    CHECK(bench.device.writes.at(0).visible == 2us + ser(88) + one_way + 80ns);
    CHECK(bench.bar.stores.at(0).at == 4us + ser(32) + one_way);
}

TEST_CASE("pcie: a read of 4 KiB is eight requests, of which the first is answered, and sixteen completions",
          "[formula]") {
    PcieBench bench;
    bench.at(0ns, [&] { bench.read(0, 4096, 1); });
    bench.run();
    const Picoseconds first = ser(24) + 135ns + 120ns + 135ns;
    CHECK(bench.device.reads.at(0).arrival.start == first);
    CHECK(bench.device.reads.at(0).arrival.end == first + ser(4096 + 16 * 20));
    CHECK(statistic(bench.link, "up_bytes") == 8 * 24);
}

// Bytes on both sides of a page make two requests: 17 reads take all of 34 credits.
TEST_CASE("pcie: the credits of a read come back together, when its last request has left", "[formula]") {
    PcieParams params;
    params.nonposted_headers = 34;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 1; i <= 17; ++i) {
            bench.read(i * 4096ULL - 2, 4, i);
        }
    });
    bench.at(200ns, [&] { bench.read(0, 4, 18); });
    bench.run();
    // 48 bytes of requests; 135 ns there, 30 ns until UpdateFC, 135 ns back. Then a read of 4 bytes.
    const Picoseconds back = ser(48) + 135ns + 30ns + 135ns;
    REQUIRE(bench.device.reads.size() == 18);
    CHECK(bench.device.reads[17].arrival.end == back + ser(24) + 135ns + 120ns + ser(24) + 135ns);
}

}  // namespace ndsim::test::formulae_test

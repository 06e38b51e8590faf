// SPDX-License-Identifier: Apache-2.0
#include "tests/models/root/root_bench.hpp"

namespace ndsim::test::formulae_test {

// The other socket behind an IOMMU; 11 KiB of cache in 11 ways, of which a device's writes fill two: 32 lines.
struct FarBench : RootBench {
    FarBench() : RootBench(far(), translated()) {}
    static RootParams far() {
        RootParams params;
        params.llc_size = Bytes{11 * 1024};
        params.remote_socket = true;
        return params;
    }
    static IommuParams translated() {
        IommuParams params;
        params.enabled = true;
        return params;
    }
};

TEST_CASE("root: a read pays walk, cache, DRAM and the other socket", "[formula]") {
    FarBench bench;
    bench.at(0ns, [&] { bench.read(10ns, 0, 64, 1); });
    bench.run();
    // 10 ns + 260 ns walk + 120 ns llc_read + 80 ns dram_extra + 100 ns numa_extra.
    CHECK(bench.ready.at(1) == 570ns);
}

TEST_CASE("root: a write pays walk, half the other socket, and DRAM if its room in the cache is full", "[formula]") {
    FarBench bench;
    bench.at(0ns, [&] {
        // 260 ns walk + 100 ns / 2 + 80 ns write_visible: 32 lines fit.
        CHECK(bench.write(0ns, 0, 2048) == 390ns);
        // The 33rd drives others out: 80 ns more.
        CHECK(bench.write(1us, 4096, 64) == 1us + 470ns);
    });
    bench.run();
    CHECK(statistic(bench.root, "dram_writes") == 1);
}

// 8 Gb/s is 1 ns a byte. Of the cap's server and the way through the root complex the later one counts.
TEST_CASE("root: the cap of strict writes is a server of bytes beside the way to memory", "[formula][limit]") {
    RootParams params;
    params.strict_write_cap = 8_Gbps;
    RootBench bench(params);
    bench.at(0ns, [&] {
        CHECK(bench.write(0ns, 0, 64) == 64ns + 80ns);
        CHECK(bench.write(64ns - 1_ps, 64, 64) == 128ns + 80ns);           // the first is through 1 ps later
        CHECK(bench.write(128ns, 128, 64) == 192ns + 80ns);                // not a picosecond too late
        CHECK(bench.write(192ns + 1_ps, 192, 64) == 256ns + 1_ps + 80ns);  // nobody in front
    });
    bench.run();
    CHECK(statistic(bench.root, "strict_writes") == 4 * 64'000);  // picoseconds
}

}  // namespace ndsim::test::formulae_test

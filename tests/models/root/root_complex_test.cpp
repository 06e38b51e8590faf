// SPDX-License-Identifier: Apache-2.0
#include "tests/models/root/root_bench.hpp"

namespace ndsim::test::complex_test {

TEST_CASE("root: a read takes 120 ns from the cache, and 80 ns more from DRAM", "[formula]") {
    RootBench bench;
    bench.at(0ns, [&] {
        bench.root.software_wrote(Memory::kBase, 64);
        bench.read(10ns, 0, 64, 1);
        bench.read(10ns, 64, 64, 2);
        bench.read(10ns, 32, 64, 3);  // a half of it is in DRAM
    });
    bench.run();
    CHECK(bench.ready.at(1) == 130ns);
    CHECK(bench.ready.at(2) == 210ns);
    CHECK(bench.ready.at(3) == 210ns);
    CHECK(statistic(bench.root, "llc_reads") == 1);
    CHECK(statistic(bench.root, "dram_reads") == 2);
}

TEST_CASE("root: what a device has written is in the cache") {
    RootBench bench;
    bench.at(0ns, [&] {
        CHECK(bench.write(0ns, 0, 64) == 80ns);
        bench.read(1us, 0, 64, 1);
    });
    bench.run();
    CHECK(bench.ready.at(1) == 1120ns);
}

TEST_CASE("root: without DDIO it is visible no later, but in DRAM") {
    RootParams params;
    params.ddio = false;
    RootBench bench(params);
    bench.at(0ns, [&] {
        bench.root.software_wrote(Memory::kBase, 64);
        CHECK(bench.write(0ns, 0, 64) == 80ns);
        bench.read(1us, 0, 64, 1);
    });
    bench.run();
    CHECK(bench.ready.at(1) == 1200ns);
}

TEST_CASE("root: writes beyond the device's ways drive others out, which takes as long as DRAM", "[formula][limit]") {
    // 11 KiB in 11 ways: 2 ways of a device hold 32 lines.
    RootParams params;
    params.llc_size = Bytes{11 * 1024};
    RootBench bench(params);
    bench.at(0ns, [&] {
        CHECK(bench.write(0ns, 0, 2048) == 80ns);
        CHECK(bench.write(1us, 0, 2048) == 1us + 80ns);  // the same lines again
        CHECK(bench.write(2us, 8192, 64) == 2us + 160ns);
        bench.read(3us, 0, 64, 1);
        bench.read(3us, 8192, 64, 2);
    });
    bench.run();
    CHECK(bench.ready.at(1) == 3200ns);
    CHECK(bench.ready.at(2) == 3120ns);
    CHECK(statistic(bench.root, "dram_writes") == 1);
}

TEST_CASE("root: memory of the other socket costs a read 100 ns and a write 50 ns more") {
    RootParams params;
    params.remote_socket = true;
    RootBench bench(params);
    bench.at(0ns, [&] {
        bench.root.software_wrote(Memory::kBase, 4096);
        CHECK(bench.write(0ns, 0, 64) == 130ns);
        bench.read(1us, 0, 64, 1);
    });
    bench.run();
    CHECK(bench.ready.at(1) == 1220ns);
}

TEST_CASE("root: strict writes become visible in order, and one that is late holds up those behind it", "[formula]") {
    IommuParams iommu;
    iommu.enabled = true;
    RootBench bench({}, iommu);
    bench.at(0ns, [&] {
        CHECK(bench.write(0ns, 0, 64) == 340ns);  // a walk of 260 ns
        CHECK(bench.write(500ns, 0, 64) == 580ns);
        CHECK(bench.write(600ns, 4096, 64) == 940ns);
        CHECK(bench.write(610ns, 0, 64) == 940ns);
        CHECK(bench.write(1000ns, 0, 64) == 1080ns);
    });
    bench.run();
    std::vector<Picoseconds> visible;
    for (const auto& write : bench.memory.writes) {
        visible.push_back(write.at);
    }
    CHECK(visible == std::vector<Picoseconds>{340ns, 580ns, 940ns, 940ns, 1080ns});
}

TEST_CASE("root: relaxed writes pass a late one, and the next strict one waits for all") {
    IommuParams iommu;
    iommu.enabled = true;
    RootBench bench({}, iommu);
    bench.at(0ns, [&] {
        CHECK(bench.write(0ns, 0, 64, true) == 340ns);
        CHECK(bench.write(500ns, 4096, 64, true) == 840ns);
        CHECK(bench.write(510ns, 0, 64, true) == 590ns);
        CHECK(bench.write(520ns, 0, 64) == 840ns);
    });
    bench.run();
    CHECK(bench.memory.writes.size() == 4);
}

TEST_CASE("root: a cap on strict writes is a rate") {
    // 8 Gb/s is 1 byte a nanosecond: the second write of 100 bytes is through at 200 ns, visible 80 ns later.
    RootParams params;
    params.strict_write_cap = 8_Gbps;
    RootBench bench(params);
    bench.at(0ns, [&] {
        CHECK(bench.write(0ns, 0, 100) == 180ns);
        CHECK(bench.write(0ns, 128, 100) == 280ns);
        CHECK(bench.write(10ns, 256, 100, true) == 90ns);
        CHECK(bench.write(1us, 512, 100) == 1180ns);
    });
    bench.run();
    CHECK(bench.memory.writes.size() == 4);
}

TEST_CASE("root: a read waits for all writes that arrived before it, wherever they went", "[formula]") {
    IommuParams iommu;
    iommu.enabled = true;
    RootBench bench({}, iommu);
    bench.at(0ns, [&] {
        bench.root.software_wrote(Memory::kBase, 8192);
        bench.write(0ns, 0, 64);       // its walk ends at 260 ns
        bench.read(300ns, 0, 64, 1);   // visible at 340 ns, 80 ns before the read has its data
        bench.write(500ns, 4096, 64);  // visible at 840 ns
        bench.read(510ns, 0, 64, 2);
    });
    bench.run();
    CHECK(bench.ready.at(1) == 420ns);
    CHECK(bench.ready.at(2) == 840ns);
}

TEST_CASE("root: a read that has entered a train on the link waits for it if it goes behind it, or reads of it",
          "[X47][formula]") {
    // The train's last byte arrives at 2 us, and is visible 80 ns later. Reads arrive before that, inside it.
    RootBench bench;
    constexpr QpNum kMine{0x11};
    bench.at(900ns, [&] {
        CHECK(bench.write(2us, 8192, 4096, false, kMine) == 2080ns);
        bench.read(910ns, 0, 64, 1, kMine);
        bench.read(910ns, 8192, 64, 2, QpNum{0x12});
        bench.read(910ns, 0, 64, 3, QpNum{0x12});
        bench.read(910ns, 0, 64, 4);
    });
    bench.run();
    CHECK(bench.ready.at(1) == 2080ns);
    CHECK(bench.ready.at(2) == 2080ns);
    // Nobody else does: 910 ns + 120 ns for a line in the cache + 80 ns if it is in DRAM.
    CHECK(bench.ready.at(3) == 1110ns);
    CHECK(bench.ready.at(4) == 1110ns);
}

TEST_CASE("root: a read that is answered sooner overtakes one that waits for a walk") {
    IommuParams iommu;
    iommu.enabled = true;
    RootBench bench({}, iommu);
    bench.at(0ns, [&] {
        bench.root.software_wrote(Memory::kBase, 8192);
        bench.read(0ns, 0, 64, 1);
        bench.read(300ns, 4096, 64, 2);
        bench.read(310ns, 0, 64, 3);
    });
    bench.run();
    CHECK(bench.ready.at(1) == 380ns);
    CHECK(bench.ready.at(2) == 680ns);
    CHECK(bench.ready.at(3) == 430ns);
}

}  // namespace ndsim::test::complex_test

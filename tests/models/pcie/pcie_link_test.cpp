// SPDX-License-Identifier: Apache-2.0

#include "models/proto/tlp_cuts.hpp"
#include "tests/models/pcie/pcie_bench.hpp"

namespace ndsim::test::link_test {

constexpr auto ser = PcieBench::ser;

TEST_CASE("pcie: a read of 64 bytes takes request, two ways, the cache and one completion", "[formula]") {
    PcieBench bench;
    const auto data = pattern(64);
    std::copy(data.begin(), data.end(), bench.memory.data.begin() + 128);
    std::vector<std::byte> got(64);
    bench.at(1us, [&] { bench.read(128, 64, 7, got.data()); });
    bench.run();

    // 24 B request 1.604 ns, 135 ns, LLC 120 ns, 84 B completion 5.613 ns, 135 ns: 397.217 ns after 1 us.
    REQUIRE(bench.device.reads.size() == 1);
    CHECK(bench.device.reads[0].token == 7);
    CHECK(ser(24) + 135ns + 120ns + ser(84) + 135ns == 397'217_ps);
    CHECK(bench.device.reads[0].arrival.end == 1us + 397'217_ps);
    CHECK(bench.device.reads[0].arrival.start == 1us + 397'217_ps - ser(84));
    CHECK(got == data);
    CHECK(statistic(bench.link, "up_bytes") == 24);
    CHECK(statistic(bench.link, "down_bytes") == 84);
    bench.check_done();
}

TEST_CASE("pcie: the bytes of a read are those that memory holds when the root complex reads it") {
    PcieBench bench;
    std::vector<std::byte> got(64);
    bench.at(0ns, [&] { bench.read(0, 64, 1, got.data()); });
    // The root complex has read at 1.604 + 135 + 120 ns.
    bench.at(256'603_ps, [&] { bench.memory.data[0] = std::byte{1}; });
    bench.at(256'605_ps, [&] { bench.memory.data[1] = std::byte{1}; });
    bench.run();
    CHECK(got[0] == std::byte{1});
    CHECK(got[1] == std::byte{0});
}

TEST_CASE("pcie: reads of 512 bytes are cut at MPS on the way down", "[formula]") {
    PcieBench bench;
    bench.at(0ns, [&] { bench.read(0, 512, 1); });
    bench.run();
    // Two completions of 256 + 20 bytes.
    CHECK(bench.device.reads.at(0).arrival.end == ser(24) + 255ns + ser(552) + 135ns);
    CHECK(statistic(bench.link, "down_bytes") == 552);
    bench.check_done();
}

TEST_CASE("pcie: a misaligned read costs one more request and one more completion", "[formula]") {
    PcieBench bench;
    // [3900, 4412): 196 bytes up to the page's end, 316 behind it: two requests. Completions: [3900, 4096), cut at the
    // boundary that MPS reaches, 4096; then 256 + 60: three.
    bench.at(0ns, [&] { bench.read(3900, 512, 1); });
    bench.run();
    CHECK(statistic(bench.link, "up_bytes") == 48);
    CHECK(statistic(bench.link, "down_bytes") == 512 + 3 * 20);
    // The first request is the one that the root complex answers first.
    CHECK(bench.device.reads.at(0).arrival.end == ser(24) + 255ns + ser(572) + 135ns);
    bench.check_done();
}

TEST_CASE("pcie: completions of reads that are outstanding together follow each other without a gap", "[formula]") {
    PcieBench bench;
    bench.at(0ns, [&] {
        bench.read(0, 512, 1);
        bench.read(512, 512, 2);
        bench.read(1024, 512, 3);
    });
    bench.run();
    REQUIRE(bench.device.reads.size() == 3);
    const Picoseconds first = ser(24) + 255ns + 135ns;
    for (std::int64_t i = 0; i < 3; ++i) {
        const auto& read = bench.device.reads[static_cast<std::size_t>(i)];
        CHECK(read.token == i + 1);
        CHECK(read.arrival.start == first + ser(i * 552));
        CHECK(read.arrival.end == first + ser((i + 1) * 552));
    }
    bench.check_done();
}

TEST_CASE("pcie: a write is visible after the link, one way and the root complex", "[formula]") {
    PcieBench bench;
    bench.at(5ns, [&] { bench.write(64, 256, 9); });
    bench.run();
    REQUIRE(bench.device.writes.size() == 1);
    CHECK(bench.device.writes[0].token == 9);
    CHECK(bench.device.writes[0].issued == 5ns + ser(280));
    CHECK(bench.device.writes[0].visible == 5ns + ser(280) + 135ns + 80ns);
    REQUIRE(bench.memory.writes.size() == 1);
    CHECK(bench.memory.writes[0].offset == 64);
    CHECK(bench.memory.writes[0].length == 256);
    CHECK(bench.memory.writes[0].at == bench.device.writes[0].visible);
    CHECK(bench.memory.data[63] == std::byte{0});
    CHECK(bench.memory.data[64] == std::byte{0xA5});
    CHECK(bench.memory.data[319] == std::byte{0xA5});
    CHECK(bench.memory.data[320] == std::byte{0});
    bench.check_done();
}

TEST_CASE("pcie: writes of 4 KiB are cut at MPS and keep the link's rate", "[formula]") {
    PcieBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 100; ++i) {
            bench.write(i * 4096ULL, 4096, i);
        }
    });
    bench.run();
    // 16 TLPs of 256 + 24 bytes each: 4480 bytes. 100 of them: 448,000 bytes, 29,934,210.5 ps.
    REQUIRE(bench.device.writes.size() == 100);
    CHECK(bench.device.writes[0].issued == ser(4480));
    CHECK(ser(448'000) == 29'934'211_ps);
    CHECK(bench.device.writes[99].issued == ser(448'000));
    for (std::size_t i = 0; i < 100; ++i) {
        CHECK(bench.memory.writes.at(i).offset == i * 4096);
    }
    bench.check_done();
}

TEST_CASE("pcie: a read finds the write that was sent before it") {
    PcieBench bench;
    std::vector<std::byte> got(8);
    bench.at(0ns, [&] { bench.write(0, 256, 1); });
    bench.at(ser(280), [&] { bench.read(0, 8, 2, got.data()); });
    bench.run();
    CHECK(got[0] == std::byte{0xA5});
    // Not slowed down by it.
    CHECK(bench.device.reads.at(0).arrival.end == ser(280) + ser(24) + 255ns + ser(28) + 135ns);
    bench.check_done();
}

TEST_CASE("pcie: a read finds the write that was sent before it, also if writes take longer than reads") {
    RootParams params;
    params.write_visible = 500ns;
    PcieBench bench({}, params);
    std::vector<std::byte> got(8);
    bench.at(0ns, [&] { bench.write(0, 256, 1); });
    bench.at(ser(280), [&] { bench.read(0, 8, 2, got.data()); });
    bench.run();
    CHECK(got[0] == std::byte{0xA5});
    CHECK(bench.device.reads.at(0).arrival.end >= ser(280) + 135ns + 500ns + ser(28) + 135ns);
}

TEST_CASE("pcie: a read finds the write whose train it enters") {
    PcieBench bench;
    std::vector<std::byte> got(8);
    std::vector<std::byte> elsewhere(8);
    bench.at(0ns, [&] { bench.write(0, 4096, 1); });
    bench.at(1ns, [&] { bench.read(8192, 8, 2, elsewhere.data()); });
    bench.at(2ns, [&] { bench.read(4088, 8, 3, got.data()); });
    bench.run();
    CHECK(got[0] == std::byte{0xA5});
    // One that reads something else need not wait: it enters at the first grain boundary.
    CHECK(bench.device.reads.at(0).arrival.end == ser(512) + ser(24) + 255ns + ser(28) + 135ns);
}

TEST_CASE("pcie: a CQE enters a train of 4 KiB at the next boundary of the grain") {
    PcieBench bench;
    bench.at(0ns, [&] { bench.write(0, 4096, 1); });
    bench.at(1ns, [&] { bench.write(8192, 64, 2, true); });
    bench.run();
    REQUIRE(bench.device.writes.size() == 2);
    // 512 bytes of the train are through at 34.211 ns.
    CHECK(bench.device.writes[1].token == 2);
    CHECK(bench.device.writes[1].issued == ser(512) + ser(88));
    CHECK(bench.device.writes[1].visible == ser(512) + ser(88) + 215ns);
    bench.check_done();
}

TEST_CASE("pcie: interrupts follow the writes of their stream") {
    PcieBench bench;
    bench.at(0ns, [&] {
        bench.write(0, 4096, 1);
        bench.write(8192, 64, 2);
        bench.interrupt(3, 3, false);
        bench.write(12288, 64, 4, true);
        bench.interrupt(5, 5, true);
    });
    bench.memory.on_write = [&] {
        if (bench.memory.writes.back().offset == 8192) {
            CHECK(bench.interrupts.seen.size() == 1);  // only the express one
        }
    };
    bench.run();
    REQUIRE(bench.interrupts.seen.size() == 2);
    CHECK(bench.interrupts.seen[0].vector == 5);
    CHECK(bench.interrupts.seen[1].vector == 3);
    // One TLP of 4 + 24 bytes behind 4096 B in 16 TLPs and 64 B in one; inside the train went 88 + 28 bytes.
    CHECK(bench.interrupts.seen[1].at == ser(4480 + 88 + 28 + 88 + 28) + 215ns);
    bench.check_done();
}

TEST_CASE("pcie: a doorbell reaches the BAR after the link and one way", "[formula]") {
    PcieBench bench;
    Mmio mmio;
    mmio.queue = 0x11;
    mmio.index = 3;
    bench.at(0ns, [&] { bench.link.store(100ns, mmio, bench.core); });
    bench.run();
    REQUIRE(bench.bar.stores.size() == 1);
    CHECK(bench.bar.stores[0].at == 100ns + ser(8 + 24) + 135ns);
    CHECK(bench.bar.stores[0].mmio.index == 3);
    bench.check_done();
}

TEST_CASE("pcie: a store with pushed WQEs is one TLP for each line of 64 bytes", "[formula]") {
    PcieBench bench;
    Mmio mmio;
    mmio.pushed_units = 3;
    bench.at(0ns, [&] { bench.link.store(0ns, mmio, bench.core); });
    bench.run();
    CHECK(bench.bar.stores.at(0).at == ser(3 * (64 + 24)) + 135ns);
    CHECK(statistic(bench.link, "down_bytes") == 264);
    bench.check_done();
}

TEST_CASE("pcie: stores of several cores arrive in the order in which they leave") {
    PcieBench bench;
    Mmio mmio;
    bench.at(0ns, [&] {
        for (const std::uint32_t ns : {30U, 10U, 20U}) {
            mmio.index = ns;
            bench.link.store(std::chrono::nanoseconds{ns}, mmio, bench.core);
        }
    });
    bench.run();
    REQUIRE(bench.bar.stores.size() == 3);
    CHECK(bench.bar.stores[0].mmio.index == 10);
    CHECK(bench.bar.stores[1].mmio.index == 20);
    CHECK(bench.bar.stores[2].mmio.index == 30);
}

TEST_CASE("pcie: reading outside memory is a broken promise of the NIC", "[throws]") {
    PcieBench bench;
    bench.at(0ns, [&] { bench.read(1U << 20U, 8, 1); });
    CHECK_THROWS_WITH(bench.run(), Catch::Matchers::ContainsSubstring("DMA read of 8 bytes outside any region"));
}

}  // namespace ndsim::test::link_test

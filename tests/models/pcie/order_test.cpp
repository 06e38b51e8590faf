// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "tests/models/pcie/pcie_bench.hpp"

namespace {

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

constexpr auto ser = PcieBench::ser;

// A device that, like a DMA engine with few writes in flight, hands on its next write when it hears of the last one.
struct Feeding final : PcieClient {
    explicit Feeding(std::function<void()> its_next) : next(std::move(its_next)) {}
    void read_scheduled(std::uint32_t, Interval) override {}
    void write_scheduled(std::uint32_t, Picoseconds issued, Picoseconds) override {
        ends.push_back(issued);
        next();
    }
    std::function<void()> next;
    std::vector<Picoseconds> ends;
};

TEST_CASE("pcie: a device may hand on its next write while it hears of the last one") {
    Bench bench;
    Memory memory(1U << 20U);
    Interrupts interrupts;
    Bar bar;
    PcieLink link("link", bench.timeline, {});
    RootComplex root("root", bench.timeline, {}, {}, bench.payloads);
    int left = 20;
    const auto give = [&] {
        if (left > 0) {
            --left;
            WriteTrain train;
            train.to = Memory::kBase;
            train.length = 256;
            train.payload = bench.payloads.take();
            train.last_use = true;
            train.ready = {bench.now(), bench.now()};
            link.write(train);
        }
    };
    Feeding device(give);
    link.client.bind(device);
    link.bar.bind(bar);
    link.root.bind(root.port);
    root.link.bind(link.root_events);
    root.memory.bind(memory);
    root.interrupts.bind(interrupts);
    bench.at(0ns, [&] {
        give();
        give();
    });
    bench.run();
    REQUIRE(device.ends.size() == 20);
    CHECK(device.ends.back() == ser(20 * 280));
    check_at_rest(link);
}

TEST_CASE("pcie: under random load writes stay in order, bytes are conserved and credits come back") {
    PcieParams params;
    params.posted_headers = 40;
    params.nonposted_headers = 36;
    PcieBench bench(params);
    std::mt19937 random(11);  // NOLINT(cert-msc51-cpp): the same on every run
    std::uint64_t up = 0;
    Picoseconds at{};
    std::uint32_t bulk = 0;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        at += Picoseconds{random() % 100'000};
        const std::uint32_t kind = random() % 4;
        if (kind == 0) {
            const std::uint32_t length = 1 + random() % 2048;
            up += 24ULL * ((length + 511) / 512);
            bench.at(at, [&bench, i, length] { bench.read(8192, length, i); });
        } else if (kind == 1) {
            up += 88;
            bench.at(at, [&bench, i] { bench.write(4096, 64, i, true); });
        } else {
            const std::uint32_t length = 1 + random() % 4096;
            up += length + 24ULL * ((length + 255) / 256);
            // Where a write goes tells its number.
            bench.at(at, [&bench, i, length, to = 65536ULL + 4096ULL * (bulk % 200)] { bench.write(to, length, i); });
            ++bulk;
        }
    }
    bench.run();
    std::uint32_t seen = 0;
    for (const auto& write : bench.memory.writes) {
        if (write.offset >= 65536) {
            REQUIRE(write.offset == 65536ULL + 4096ULL * (seen % 200));
            ++seen;
        }
    }
    CHECK(seen == bulk);
    CHECK(statistic(bench.link, "up_bytes") == up);
    // As fast as the link at the best.
    CHECK(bench.device.writes.back().issued >= ser(static_cast<std::int64_t>(up)));
    bench.check_done();
}

}  // namespace

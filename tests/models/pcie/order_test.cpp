// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "tests/models/pcie/pcie_bench.hpp"

namespace ndsim::test::order_test {

constexpr auto ser = PcieBench::ser;

// A device that, like a DMA engine with few writes in flight, hands on its next write when it hears of the last one.
struct Feeding final : PcieClient {
    explicit Feeding(std::function<void()> its_next) : next(std::move(its_next)) {}
    void read_waited(std::uint32_t, Interval) override {}
    void write_waited(std::uint32_t, Interval) override {}
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
    join(link, root, device, bar, memory, interrupts);
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

// As PCIe demands: what a doorbell announced is known when the data is there that was read after it.
TEST_CASE("pcie: a read's completion does not pass an earlier store that waits for its credit") {
    PcieParams params;
    params.bar_posted_headers = 4;
    PcieBench bench(params);
    bench.bar.holds = 1us;
    bench.at(0ns, [&] {
        for (int i = 0; i < 5; ++i) {
            bench.link.store(0ns, {}, bench.core);
        }
    });
    bench.at(10ns, [&] { bench.read(0, 8, 1); });
    bench.run();
    // The data is ready 24 B, 135 ns and 120 ns after the request, at 266.6 ns. The fifth store has the credit of the
    // first when that is taken, 1 us after its arrival, and 30 + 135 ns more have gone by.
    const Picoseconds free = ser(32) + 135ns + 1us + 165ns;
    REQUIRE(10ns + ser(24) + 255ns < free);
    CHECK(bench.bar.stores.at(4).at == free + ser(32) + 135ns);
    // Right behind it: 8 B and 20 B of header.
    CHECK(bench.device.reads.at(0).arrival.end == free + ser(32 + 28) + 135ns);
    bench.check_done();
}

TEST_CASE("pcie: a store enters completions under way, and those behind them do not pass it") {
    PcieBench bench;
    bench.at(0ns, [&] {
        bench.read(0, 4096, 1);
        bench.read(4096, 4096, 2);
    });
    // Each train is 8 requests of 512 B: 8 x (512 + 2 x 20) B. The first one leaves 135 + 120 ns after the first
    // request has arrived at the root port, and keeps the link for 295.1 ns.
    const Picoseconds first = ser(24) + 255ns;
    bench.at(first + 100ns, [&] { bench.link.store(first + 100ns, {}, bench.core); });
    bench.run();
    const auto& reads = bench.device.reads;
    REQUIRE(reads.size() == 2);
    const Picoseconds stored = bench.bar.stores.at(0).at;
    CHECK(stored > first + 100ns + 135ns);
    CHECK(stored < reads[0].arrival.end);  // at the next grain
    CHECK(reads[1].arrival.start >= stored);
    CHECK(reads[1].arrival.end == first + ser(2 * 8 * 552 + 32) + 135ns);  // bytes are conserved
    bench.check_done();
}

// While stores queue for credits, completions leave as they come: a store takes the link only when it has its credits.
TEST_CASE("pcie: a completion passes no earlier store, and waits for no later one") {
    PcieParams params;
    params.bar_posted_headers = 4;
    PcieBench bench(params);
    bench.bar.holds = 1us;
    bench.at(10ns, [&] { bench.read(0, 8, 1); });
    // Its data is ready 24 B, 135 ns and 120 ns after the request, at 266.6 ns. Four stores before that take all
    // credits, and hundreds come after it.
    const Picoseconds ready = 10ns + ser(24) + 255ns;
    bench.at(0ns, [&] {
        for (int i = 0; i < 4; ++i) {
            bench.link.store(ready - 10ns, {}, bench.core);
        }
        for (int i = 0; i < 200; ++i) {
            bench.link.store(ready + 1_ps, {}, bench.core);
        }
    });
    bench.at(2us, [&] { bench.read(0, 8, 2); });
    bench.run();
    // The four have gone when it is ready, and the link is free: 8 B and 20 B of header.
    CHECK(bench.device.reads.at(0).arrival.end == ready + ser(28) + 135ns);
    // The second one is behind all 200, as PCIe demands: these go four in each round of the credits, which takes 32 B,
    // 135 ns of flight, 1 us in the NIC, 30 ns and 135 ns back.
    const Picoseconds round = ser(32) + 135ns + 1us + 30ns + 135ns;
    REQUIRE(bench.bar.stores.size() == 204);
    CHECK(bench.device.reads.at(1).arrival.start >= ready + 49 * round);
    CHECK(bench.device.reads.at(1).arrival.end >= bench.bar.stores.back().at);
    bench.check_done();
}

TEST_CASE("pcie: a bulk write waits for the small ones before it, not for those that come later") {
    PcieParams params;
    params.posted_headers = 4096;  // the link alone decides
    params.posted_data = 65536;
    PcieBench bench(params);
    for (std::uint32_t i = 0; i < 2000; ++i) {  // 88 B each 5 ns: more than the link's 14.97 B/ns
        bench.at(i * 5ns, [&bench, i] { bench.write(0, 64, i, true); });
    }
    bench.at(1us + 1_ps, [&bench] {
        bench.write(4096, 512, 10000);
        bench.write(8192, 512, 10001);
    });
    bench.run();
    Picoseconds first{};
    Picoseconds second{};
    for (const auto& write : bench.device.writes) {
        first = write.token == 10000 ? write.issued : first;
        second = write.token == 10001 ? write.issued : second;
    }
    // 201 small ones have come, and take 201 x 88 B; then 512 B and two headers.
    CHECK(first == ser(201 * 88 + 560));
    // The second waits for those that came before the first was through, which are one each 5 ns.
    const std::int64_t come = first / 5ns + 1;
    CHECK(second <= ser((come + 1) * 88 + 2 * 560));
    bench.check_done();
}

}  // namespace ndsim::test::order_test

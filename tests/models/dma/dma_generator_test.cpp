// SPDX-License-Identifier: Apache-2.0
#include "models/dma/dma_generator.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/pcie_doubles.hpp"

namespace ndsim::test::generator_test {

// A DMA engine: a read takes 400 ns, a write has left after 6 ns and is visible after 220 ns. It may refuse reads.
struct Engine final : DmaPort {
    Engine(const Timeline& its_timeline, PayloadPool& its_payloads) : timeline(its_timeline), payloads(its_payloads) {}

    bool try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId,
                  ReadClient& client) override {
        ++tries;
        if (refuses) {
            return false;
        }
        CHECK(cls == ReadClass::payload);
        REQUIRE(pieces.size() == 1);
        reads.push_back({raw(pieces[0].from) - raw(Memory::kBase), pieces[0].length, timeline.now()});
        client.read_arrives(token, {timeline.now() + 390ns, timeline.now() + 400ns});
        return true;
    }
    bool try_read_behind_writes(QpNum, std::span<const ReadPiece>, std::uint32_t, RequestId, ReadClient&) override {
        FAIL("a generator's reads have no queue pair");
        return false;
    }
    void write(const WriteTrain& train, WriteClient* client) override {
        CHECK_FALSE(train.express);
        writes.push_back({raw(train.to) - raw(Memory::kBase), train.length, timeline.now()});
        payloads.give(train.payload);
        client->write_scheduled(train.token, timeline.now() + 6ns, timeline.now() + 220ns);
    }
    [[nodiscard]] DmaMark given() const override { return {reads.size(), writes.size()}; }
    [[nodiscard]] std::optional<Picoseconds> settled(const DmaMark&) const override { return timeline.now(); }

    struct Seen {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        Picoseconds at{};
    };
    const Timeline& timeline;
    PayloadPool& payloads;
    std::vector<Seen> reads;
    std::vector<Seen> writes;
    bool refuses = false;
    std::uint64_t tries = 0;
};

struct GeneratorBench final : Bench, TransferObserver {
    explicit GeneratorBench(const DmaGeneratorParams& params)
        : generator("generator", timeline, params, Memory::kBase, 1, payloads) {
        generator.dma.bind(engine);
        generator.observe(*this);
    }
    void transfer_ended(Interval span) override {
        CHECK(span.end == now());
        ended.push_back(span);
    }
    void start_and_run(Picoseconds at = {}) {
        script.at(0ns, [this, at] { generator.start(at); });
        run();
        check_at_rest(generator);
    }
    static std::vector<std::uint64_t> offsets(const std::vector<Engine::Seen>& seen) {
        std::vector<std::uint64_t> all;
        for (const Engine::Seen& each : seen) {
            all.push_back(each.offset);
        }
        return all;
    }

    Engine engine{timeline, payloads};
    DmaGenerator generator;
    std::vector<Interval> ended;
};

TEST_CASE("dma generator: one read after the other, each when the last has ended", "[formula]") {
    GeneratorBench bench({.size = 64_B, .window = 256_B, .in_flight = 1, .count = 6});
    bench.start_and_run(100ns);
    REQUIRE(bench.ended.size() == 6);
    for (std::int64_t i = 0; i < 6; ++i) {
        const Interval span = bench.ended[static_cast<std::size_t>(i)];
        CHECK(span.start == 100ns + i * 400ns);
        CHECK(span.end == span.start + 400ns);
    }
    // Four units, which it goes through again and again.
    CHECK(GeneratorBench::offsets(bench.engine.reads) == std::vector<std::uint64_t>{0, 64, 128, 192, 0, 64});
    CHECK(bench.engine.reads[0].length == 64);
    CHECK(statistic(bench.generator, "transfers") == 6);
    CHECK(statistic(bench.generator, "read_bytes") == 384);
}

TEST_CASE("dma generator: so many are under way, and issues keep their distance", "[limit]") {
    GeneratorBench bench({.in_flight = 3, .issue = 30ns, .count = 7});
    bench.start_and_run();
    // Three 30 ns apart, then one whenever one ends; the ends are 30 ns apart as well.
    const std::vector<Picoseconds> expected{0ns, 30ns, 60ns, 400ns, 430ns, 460ns, 800ns};
    REQUIRE(bench.engine.reads.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(bench.engine.reads[i].at == expected[i]);
    }
}

TEST_CASE("dma generator: with many under way the distance of the issues is the limit", "[formula][limit]") {
    GeneratorBench bench({.in_flight = 33, .issue = 23'800_ps, .count = 100});
    bench.start_and_run();
    for (std::int64_t i = 0; i < 100; ++i) {
        CHECK(bench.engine.reads.at(static_cast<std::size_t>(i)).at == i * 23'800_ps);
    }
    CHECK(bench.generator.pools()[0]->occupancy().high_water() == 17);  // 400 / 23.8, rounded up
}

TEST_CASE("dma generator: a write ends when it is visible", "[formula]") {
    GeneratorBench bench({.operation = DmaOperation::write, .size = 100_B, .count = 3});
    bench.start_and_run();
    REQUIRE(bench.ended.size() == 3);
    for (std::int64_t i = 0; i < 3; ++i) {
        CHECK(bench.ended[static_cast<std::size_t>(i)].start == i * 220ns);
        CHECK(bench.ended[static_cast<std::size_t>(i)].end == (i + 1) * 220ns);
    }
    CHECK(GeneratorBench::offsets(bench.engine.writes) == std::vector<std::uint64_t>{0, 128, 256});
    CHECK(statistic(bench.generator, "written_bytes") == 300);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("dma generator: reads and writes take turns") {
    GeneratorBench bench({.operation = DmaOperation::read_and_write, .in_flight = 2, .count = 5});
    bench.start_and_run();
    // A read and a write at 0; what comes next is a read (220 ns), a write (400 ns), a read (620 ns).
    REQUIRE(bench.engine.reads.size() == 3);
    REQUIRE(bench.engine.writes.size() == 2);
    CHECK(bench.engine.reads[1].at == 220ns);
    CHECK(bench.engine.writes[1].at == 400ns);
    CHECK(bench.engine.reads[2].at == 620ns);
    CHECK(GeneratorBench::offsets(bench.engine.writes) == std::vector<std::uint64_t>{64, 192});
}

TEST_CASE("dma generator: a write that is read back is one transfer", "[formula]") {
    GeneratorBench bench({.operation = DmaOperation::write_read, .count = 2});
    bench.start_and_run();
    // The read is issued when the write has left, 6 ns later, and takes 400 ns.
    REQUIRE(bench.ended.size() == 2);
    CHECK(bench.ended[0].end == 406ns);
    CHECK(bench.ended[1].start == 406ns);
    CHECK(bench.engine.reads[0].at == 6ns);
    CHECK(GeneratorBench::offsets(bench.engine.reads) == GeneratorBench::offsets(bench.engine.writes));
    CHECK(statistic(bench.generator, "transfers") == 2);
}

TEST_CASE("dma generator: units are whole lines behind the offset, and the rest of the window is not used") {
    GeneratorBench bench({.size = 64_B, .window = 500_B, .offset = 4_B, .count = 5});
    bench.start_and_run();
    // 68 bytes take two lines: 500 bytes hold three such units.
    CHECK(GeneratorBench::offsets(bench.engine.reads) == std::vector<std::uint64_t>{4, 132, 260, 4, 132});
}

TEST_CASE("dma generator: random places are units of the window, and nearly all of them come") {
    GeneratorBench bench({.size = 64_B, .window = 4096_B, .access = DmaAccess::random, .in_flight = 8, .count = 640});
    bench.start_and_run();
    std::vector<std::uint64_t> hits(64);
    for (const std::uint64_t offset : GeneratorBench::offsets(bench.engine.reads)) {
        REQUIRE(offset % 64 == 0);
        ++hits.at(offset / 64);
    }
    // Ten hits each are expected, with a deviation of 3.1: more than 7 deviations off would be odd.
    CHECK(std::count(hits.begin(), hits.end(), 0U) <= 1);
    CHECK(*std::max_element(hits.begin(), hits.end()) <= 32);
}

TEST_CASE("dma generator: a read that is refused keeps its turn, and its time counts from the first try") {
    GeneratorBench bench({.in_flight = 4, .count = 4});
    bench.engine.refuses = true;
    bench.at(10ns, [&] {
        CHECK(bench.engine.tries == 1);
        bench.generator.read_space(ReadClass::payload);  // refused again
        CHECK(bench.engine.tries == 2);
    });
    bench.at(50ns, [&] {
        bench.engine.refuses = false;
        bench.generator.read_space(ReadClass::payload);
        CHECK(bench.engine.reads.size() == 4);
    });
    bench.start_and_run();
    REQUIRE(bench.ended.size() == 4);
    CHECK(bench.ended[0].start == 0ns);
    CHECK(bench.ended[0].end == 450ns);
    CHECK(bench.ended[1].start == 50ns);
    CHECK(GeneratorBench::offsets(bench.engine.reads) == std::vector<std::uint64_t>{0, 64, 128, 192});
}

TEST_CASE("dma generator: a transfer under way at the end is a broken invariant") {
    GeneratorBench bench({.count = 1});
    bench.engine.refuses = true;
    bench.at(0ns, [&] { bench.generator.start(0ns); });
    bench.run();
    CHECK_THROWS_WITH(bench.generator.check_idle(), Catch::Matchers::ContainsSubstring("still under way at the end"));
}

TEST_CASE("dma generator: busy between two issues, else blocked by what is under way or by a read that was refused") {
    // Issues at 0, 30 and 60 ns, one more whenever one has ended: at 400, 430 and 460 ns; the last at 800 ns.
    GeneratorBench bench({.in_flight = 3, .issue = 30ns, .count = 7});
    bench.at(1300ns, [] {});
    bench.start_and_run();
    check_engines(bench.generator);
    CHECK(Picoseconds(statistic(bench.generator, "busy")) == 7 * 30ns);
    CHECK(Picoseconds(statistic(bench.generator, "in_flight")) == 2 * 310ns);  // from 90 and 490 ns on
    CHECK(Picoseconds(statistic(bench.generator, "tags")) == 0ns);
    CHECK(Picoseconds(statistic(bench.generator, "idle")) == 470ns);
}

TEST_CASE("dma generator: a read that is refused blocks it until it is taken") {
    GeneratorBench bench({.in_flight = 1, .issue = 30ns, .count = 1});
    bench.engine.refuses = true;
    bench.at(150ns, [&] {
        bench.engine.refuses = false;
        bench.generator.read_space(ReadClass::payload);
    });
    bench.start_and_run();
    check_engines(bench.generator);
    CHECK(Picoseconds(statistic(bench.generator, "busy")) == 30ns);
    CHECK(Picoseconds(statistic(bench.generator, "tags")) == 120ns);
    CHECK(Picoseconds(statistic(bench.generator, "idle")) == 400ns);  // its data comes at 550 ns
}

}  // namespace ndsim::test::generator_test

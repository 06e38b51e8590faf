// SPDX-License-Identifier: Apache-2.0
#include "tests/models/dma/dma_bench.hpp"

namespace ndsim::test::writes_test {

WriteTrain train(std::uint32_t token, bool express = false) {
    WriteTrain result;
    result.to = Memory::kBase;
    result.length = 64;
    result.token = token;
    result.express = express;
    return result;
}

std::vector<std::uint64_t> order(const DmaBench& bench) {
    std::vector<std::uint64_t> result;
    for (const auto& write : bench.link.writes) {
        result.push_back(write.train.offset);
    }
    return result;
}

// Tests number their writes by the offset, since the engine puts a token of its own in.
WriteTrain numbered(std::uint32_t number, bool express = false) {
    WriteTrain result = train(number, express);
    result.offset = number;
    return result;
}

TEST_CASE("dma: who writes hears when it is issued and visible, with his own token") {
    DmaBench bench({});
    Writer writer;
    bench.at(5ns, [&] { bench.dma.write(train(42), &writer); });
    bench.at(10ns, [&] { bench.dma.write(train(43), nullptr); });
    bench.at(20ns, [&] {
        bench.dma.write_scheduled(bench.link.writes.at(0).train.token, 30ns, 250ns);
        bench.dma.write_scheduled(bench.link.writes.at(1).train.token, 40ns, 260ns);
    });
    bench.run();
    CHECK(bench.link.writes.at(0).at == 5ns);
    REQUIRE(writer.scheduled.size() == 1);
    CHECK(writer.scheduled[0].token == 42);
    CHECK(writer.scheduled[0].issued == 30ns);
    CHECK(writer.scheduled[0].visible == 250ns);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: transfers given before a moment are settled with the last read's data and the last write's place") {
    DmaBench bench({});
    std::vector<std::optional<Picoseconds>> settled;
    DmaMark mark;
    const auto look = [&] { settled.push_back(bench.dma.settled(mark)); };
    bench.at(5ns, [&] {
        CHECK(bench.read(kPayload, {{0, 64}}, 1));
        bench.dma.write(train(42), nullptr);
        mark = bench.dma.given();
        CHECK(bench.read(kPayload, {{64, 64}}, 2));  // behind the moment
        look();
    });
    bench.at(20ns, [&] {
        bench.dma.write_scheduled(bench.link.writes.at(0).train.token, 30ns, 250ns);
        look();  // the read is not answered
        bench.answer(0, {40ns, 50ns});
        look();
    });
    bench.at(60ns, [&] { bench.answer(1, {70ns, 80ns}); });
    bench.run();
    CHECK(settled == std::vector<std::optional<Picoseconds>>{std::nullopt, std::nullopt, 250ns});
}

TEST_CASE("dma: with all writes in flight the next one waits until the first is on the link") {
    DmaBench bench({.writes = 2});
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 3; ++i) {
            bench.dma.write(numbered(i), nullptr);
        }
        CHECK(bench.link.writes.size() == 2);
    });
    bench.at(10ns, [&] { bench.dma.write_scheduled(bench.link.writes.at(0).train.token, 50ns, 250ns); });
    bench.at(49'999_ps, [&] { CHECK(bench.link.writes.size() == 2); });
    bench.at(60ns, [&] {
        REQUIRE(bench.link.writes.size() == 3);
        CHECK(bench.link.writes[2].at == 50ns);
        bench.dma.write_scheduled(bench.link.writes[1].train.token, 70ns, 250ns);
        bench.dma.write_scheduled(bench.link.writes[2].train.token, 80ns, 250ns);
    });
    bench.run();
    check_at_rest(bench.dma);
}

// Payload of a queue pair.
WriteTrain payload_of(QpNum qp) {
    WriteTrain result = train(0);
    result.use = TlpUse::payload;
    result.qp = qp;
    return result;
}

TEST_CASE("dma: a read behind a queue pair's writes leaves when the last of them is on the link", "[X47][limit]") {
    DmaBench bench({.writes = 1});
    constexpr QpNum kMine{0x11};
    constexpr QpNum kOther{0x12};
    const auto read = [&](QpNum qp, std::uint32_t token) {
        const ReadPiece piece{Memory::kBase, 64, bench.buffer.data()};
        CHECK(bench.dma.try_read_behind_writes(qp, {&piece, 1}, token, {}, bench.reader));
    };
    bench.at(0ns, [&] {
        bench.dma.write(payload_of(kMine), nullptr);   // on the link
        bench.dma.write(payload_of(kMine), nullptr);   // waits for the first one
        bench.dma.write(payload_of(kOther), nullptr);  // waits for both
        read(kMine, 0);
        read(QpNum{0x13}, 1);  // of which nothing is written
        CHECK(bench.link.reads.size() == 1);
    });
    bench.at(10ns, [&] { bench.dma.write_scheduled(bench.link.writes.at(0).train.token, 50ns, 250ns); });
    bench.at(49'999_ps, [&] { CHECK(bench.link.reads.size() == 1); });
    // The second write is given to the link at 50 ns, and the link tells at once when it will be through.
    bench.link.on_write = [&](const WriteTrain& given) {
        if (bench.now() == 50ns) {
            bench.dma.write_scheduled(given.token, 90ns, 290ns);
        }
    };
    bench.at(51ns, [&] {
        REQUIRE(bench.link.reads.size() == 2);
        CHECK(bench.link.reads[1].at == 50ns);
        CHECK(bench.link.reads[1].train.behind == kMine);
        bench.answer(0, {100ns, 100ns});
        bench.answer(1, {100ns, 100ns});
    });
    bench.at(91ns, [&] { bench.dma.write_scheduled(bench.link.writes.at(2).train.token, 95ns, 295ns); });
    bench.run();
    check_at_rest(bench.dma);
}

TEST_CASE("dma: bulk writes stay in order, express ones take turns with those that wait") {
    DmaBench bench({.writes = 1});
    bench.link.on_write = [&](const WriteTrain& given) {
        bench.dma.write_scheduled(given.token, bench.now() + 10ns, bench.now() + 200ns);
    };
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 4; ++i) {
            bench.dma.write(numbered(i), nullptr);
        }
        bench.dma.write(numbered(10, true), nullptr);
        bench.dma.write(numbered(11, true), nullptr);
    });
    bench.run();
    CHECK(order(bench) == std::vector<std::uint64_t>{0, 10, 1, 11, 2, 3});
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(bench.link.writes.at(i).at == static_cast<std::int64_t>(i) * 10ns);
    }
    check_at_rest(bench.dma);
}

TEST_CASE("dma: a bulk write goes on among express ones without end") {
    DmaBench bench({.writes = 1});
    std::uint32_t given = 100;
    bench.link.on_write = [&](const WriteTrain& on_link) {
        if (given < 200) {
            bench.dma.write(numbered(given++, true), nullptr);  // one waits whenever one leaves
        }
        bench.dma.write_scheduled(on_link.token, bench.now() + 10ns, bench.now() + 200ns);
    };
    bench.at(0ns, [&] {
        bench.dma.write(numbered(given++, true), nullptr);
        bench.dma.write(numbered(1), nullptr);
        bench.dma.write(numbered(2), nullptr);
    });
    bench.run();
    // Express and bulk in turns: the first, then express or bulk first, at most one express one before each.
    const std::vector<std::uint64_t> seen = order(bench);
    CHECK(std::find(seen.begin(), seen.end(), 1) - seen.begin() <= 2);
    CHECK(std::find(seen.begin(), seen.end(), 2) - seen.begin() <= 4);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: many writes that wait cost one look for each that is issued") {
    DmaBench bench({.writes = 2});
    bench.link.on_write = [&](const WriteTrain& given) {
        bench.dma.write_scheduled(given.token, bench.now() + 10ns, bench.now() + 200ns);
    };
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 1000; ++i) {
            bench.dma.write(numbered(i), nullptr);
        }
    });
    bench.run();
    CHECK(bench.link.writes.size() == 1000);
    CHECK(bench.link.writes.back().at == 499 * 10ns);  // two every 10 ns
    CHECK(bench.timeline.items() < 1100);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: writes count their bytes") {
    DmaBench bench({});
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 3; ++i) {
            bench.dma.write(train(i), nullptr);
        }
    });
    bench.run();
    CHECK(statistic(bench.dma, "written_bytes") == 192);
    CHECK_THROWS_WITH(bench.dma.check_idle(), Catch::Matchers::ContainsSubstring("still in flight at the end"));
}

}  // namespace ndsim::test::writes_test

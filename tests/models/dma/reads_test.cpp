// SPDX-License-Identifier: Apache-2.0
#include "models/proto/tlp_cuts.hpp"
#include "tests/models/dma/dma_bench.hpp"

namespace ndsim::test::reads_test {

constexpr auto ser = DmaBench::ser;

TEST_CASE("dma: a read is given to the link at once and arrives when the link says") {
    DmaBench bench({});
    bench.at(10ns, [&] { CHECK(bench.read(kWqe, {{64, 128}}, 5)); });
    bench.at(200ns, [&] { bench.answer(0, {400ns, 410ns}); });
    bench.run();
    REQUIRE(bench.link.reads.size() == 1);
    CHECK(bench.link.reads[0].at == 10ns);
    CHECK(bench.link.reads[0].train.from == Memory::kBase + 64);
    CHECK(bench.link.reads[0].train.length == 128);
    CHECK(bench.link.reads[0].train.into == bench.buffer.data());
    CHECK(bench.link.reads[0].train.use == TlpUse::wqe);
    REQUIRE(bench.reader.arrived.size() == 1);
    CHECK(bench.reader.arrived[0].token == 5);
    CHECK(bench.reader.arrived[0].told == 200ns);
    CHECK(bench.reader.arrived[0].data.end == 410ns);
    CHECK(statistic(bench.dma, "wqe_bytes") == 128);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: with k tags the next request waits for exactly the first completion", "[limit]") {
    DmaBench bench({.tags = 4});
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 5; ++i) {
            CHECK(bench.read(kPayload, {{i * 512ULL, 512}}, i));
        }
        CHECK(bench.link.reads.size() == 4);
        CHECK_FALSE(bench.read(kPayload, {{0, 512}}, 99));  // one of this class waits already
    });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 337ns}); });
    bench.at(150ns, [&] { bench.answer(1, {337ns, 374ns}); });
    bench.at(336'999_ps, [&] { CHECK(bench.link.reads.size() == 4); });
    bench.at(380ns, [&] {
        REQUIRE(bench.link.reads.size() == 5);
        CHECK(bench.link.reads[4].at == 337ns);
        CHECK(bench.reader.space == std::vector<Picoseconds>{337ns});
        for (std::size_t i = 2; i < 5; ++i) {
            bench.answer(i, {400ns, 500ns});
        }
    });
    bench.run();
    CHECK(bench.reader.arrived.size() == 5);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: reads in flight limit as tags do") {
    DmaBench bench({.tags = 256, .reads = 4});
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{0, 5 * 512}}, 0)); });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns + ser(4 * 552)}); });
    bench.at(600ns, [&] { bench.answer(1, {700ns, 740ns}); });
    bench.run();
    REQUIRE(bench.link.reads.size() == 2);
    CHECK(bench.link.reads[0].train.length == 4 * 512);
    CHECK(bench.link.reads[1].train.length == 512);
    // The first request's last byte: 512 data bytes and two headers behind the beginning.
    CHECK(bench.link.reads[1].at == 300ns + ser(552));
    check_at_rest(bench.dma);
}

TEST_CASE("dma: a large read is issued as far as there are tags, and goes on piece by piece") {
    DmaBench bench({.tags = 4});
    std::vector<Picoseconds> told;
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{0, 4096}}, 1)); });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns + ser(4 * 552)}); });
    bench.at(1us, [&] {
        // Each completion has let one request out.
        REQUIRE(bench.link.reads.size() == 5);
        for (std::size_t i = 1; i < 5; ++i) {
            CHECK(bench.link.reads[i].at == 300ns + ser(static_cast<std::int64_t>(i) * 552));
            CHECK(bench.link.reads[i].train.length == 512);
            CHECK(bench.link.reads[i].train.from == Memory::kBase + (3 + i) * 512);
            CHECK(bench.link.reads[i].train.into == bench.buffer.data() + (3 + i) * 512);
            bench.answer(i, {1us + i * 50ns, 1us + i * 50ns + ser(552)});
        }
        CHECK(bench.reader.arrived.size() == 1);
    });
    bench.run();
    REQUIRE(bench.reader.arrived.size() == 1);
    CHECK(bench.reader.arrived[0].data.end == 1200ns + ser(552));
    CHECK(bench.reader.arrived[0].data.start == 300ns + ser(552));  // the grain of 512 bytes
    check_at_rest(bench.dma);
}

TEST_CASE("dma: a misaligned request holds its tag until its own last byte") {
    DmaBench bench({.tags = 4, .reads = 4});
    // [32, 1568): requests of 512 from 32 on; each is answered by [32, 256), 256, 32: three completions of 572 bytes.
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{32, 4 * 512}}, 0)); });
    bench.at(1ns, [&] { CHECK(bench.read(kPayload, {{0, 64}}, 1)); });
    REQUIRE(completion_count(Address{32}, 512, 256, 64) == 3);
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns + ser(4 * 572)}); });
    bench.at(600ns, [&] { bench.answer(1, {700ns, 706ns}); });
    bench.run();
    CHECK(bench.link.reads.at(1).at == 300ns + ser(572));
    CHECK(bench.reader.arrived.at(0).data.start == 300ns + ser(572));
    check_at_rest(bench.dma);
}

TEST_CASE("dma: the first grain of a read is its first 512 bytes, not its first piece", "[formula]") {
    DmaBench bench({});
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{100, 16}, {4096, 2048}}, 1)); });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns + ser(36)}); });
    bench.at(110ns, [&] { bench.answer(1, {400ns, 400ns + ser(2208)}); });
    bench.run();
    REQUIRE(bench.reader.arrived.size() == 1);
    CHECK(bench.link.reads.at(1).train.into == bench.buffer.data() + 16);
    // 496 bytes of the second piece: two completions.
    CHECK(bench.reader.arrived[0].data.start == 400ns + ser(496 + 40));
    CHECK(bench.reader.arrived[0].data.end == 400ns + ser(2208));
}

TEST_CASE("dma: a read shorter than the grain is there when its last byte is", "[formula]") {
    DmaBench bench({});
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{0, 100}, {200, 100}}, 1)); });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 308ns}); });
    bench.at(110ns, [&] { bench.answer(1, {308ns, 316ns}); });
    bench.run();
    CHECK(bench.reader.arrived.at(0).data.start == 316ns);
    CHECK(bench.reader.arrived.at(0).data.end == 316ns);
}

TEST_CASE("dma: a read whose rest comes late has its grain so late that who sends it on does not run dry",
          "[formula]") {
    // Half of the tags go to the first read, so the second one sends 2,048 bytes, and the others when tags come back.
    DmaBench bench({.tags = 8});
    bench.dma.forward_at(ExactRate::per_byte(Bandwidth{100'000'000'000}));  // 80 ps a byte
    bench.at(0ns, [&] {
        CHECK(bench.read(kWqe, {{0, 4 * 512}}, 1));
        CHECK(bench.read(kPayload, {{0, 4096}}, 2));
    });
    bench.at(100ns, [&] {
        bench.answer(0, {300ns, 300ns});
        bench.answer(1, {400ns, 550ns});
    });
    bench.at(350ns, [&] {
        REQUIRE(bench.link.reads.size() == 3);
        CHECK(bench.link.reads[2].train.length == 2048);
        bench.answer(2, {900ns, 1050ns});
    });
    bench.run();
    REQUIRE(bench.reader.arrived.size() == 2);
    CHECK(bench.reader.arrived[1].data.start == 900ns - 2048 * 80_ps);
    CHECK(bench.reader.arrived[1].data.end == 1050ns);
    check_at_rest(bench.dma);
}

TEST_CASE("dma: a read whose rest comes early enough is ready when its grain is there", "[formula]") {
    DmaBench bench({.tags = 8});
    bench.dma.forward_at(ExactRate::per_byte(Bandwidth{100'000'000'000}));
    bench.at(0ns, [&] {
        CHECK(bench.read(kWqe, {{0, 4 * 512}}, 1));
        CHECK(bench.read(kPayload, {{0, 4096}}, 2));
    });
    bench.at(100ns, [&] {
        bench.answer(0, {300ns, 300ns});
        bench.answer(1, {400ns, 550ns});
    });
    // 512 bytes are two completions of 256 and 20 bytes. From there on, byte 2,048 is due at 400 ns + t(552) + 163.84
    // ns.
    bench.at(350ns, [&] { bench.answer(2, {600ns, 1050ns}); });
    bench.run();
    REQUIRE(bench.reader.arrived.size() == 2);
    CHECK(bench.reader.arrived[1].data.start == 400ns + DmaBench::ser(552));
    check_at_rest(bench.dma);
}

TEST_CASE("dma: the ledger is charged for the wait for tags, not for the read") {
    DmaBench bench({.tags = 4});
    Ledger& ledger = bench.ledgers.of(HostId{0}).open(0ns);
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{0, 4 * 512}}, 1)); });
    bench.at(10ns, [&] {
        ledger.mark(Account::arbitration, 10ns);
        const ReadPiece piece{Memory::kBase, 512, bench.buffer.data()};
        CHECK(bench.dma.try_read(kPayload, {&piece, 1}, 2, ledger.id, bench.reader));
    });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns + ser(4 * 552)}); });
    bench.at(500ns, [&] { bench.answer(1, {600ns, 640ns}); });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::tags)] == 290ns + ser(552));
}

// Four of eight requests leave at once, each of the others with the tag that comes back.
TEST_CASE("dma: a read that is issued in parts is charged for tags until its last part has one") {
    DmaBench bench({.tags = 4});
    Ledger& ledger = bench.ledgers.of(HostId{0}).open(0ns);
    bench.at(0ns, [&] {
        const ReadPiece piece{Memory::kBase, 4096, bench.buffer.data()};
        CHECK(bench.dma.try_read(kPayload, {&piece, 1}, 1, ledger.id, bench.reader));
    });
    bench.at(100ns, [&] { bench.answer(0, {300ns, 300ns + ser(4 * 552)}); });
    bench.at(1us, [&] {
        for (std::size_t i = 1; i < 5; ++i) {
            bench.answer(i, {1us, 1200ns});
        }
    });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::tags)] == 300ns + ser(4 * 552));
}

TEST_CASE("dma: a read's waits for tags and for credits are charged to its request") {
    DmaBench bench({.tags = 1});
    LedgerBook& book = bench.ledgers.of(HostId{0});
    const std::uint32_t number = book.open(0ns).id.number;
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{0, 64}}, 0)); });
    bench.at(10ns, [&] {
        const ReadPiece piece{Memory::kBase, 64, bench.buffer.data()};
        CHECK(bench.dma.try_read(kPayload, {&piece, 1}, 1, {HostId{0}, number}, bench.reader));
        bench.answer(0, {90ns, 100ns});
    });
    bench.at(130ns, [&] {
        bench.dma.read_waited(bench.link.reads.at(1).train.token, {100ns, 130ns});
        bench.answer(1, {300ns, 310ns});
    });
    bench.run();
    const auto charged = [&](Account account) {
        return book.find(number)->accounts[static_cast<std::size_t>(account)];
    };
    CHECK(charged(Account::tags) == 100ns);  // its tag was free then
    CHECK(charged(Account::credits) == 30ns);
}

}  // namespace ndsim::test::reads_test

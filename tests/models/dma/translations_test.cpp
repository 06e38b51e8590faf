// SPDX-License-Identifier: Apache-2.0
#include "tests/models/dma/dma_bench.hpp"

namespace ndsim::test::translations_test {

constexpr Address kSecondPage = Memory::kBase + 4096;

WriteTrain payload(Address to) {
    WriteTrain train;
    train.to = to;
    train.length = 64;
    train.use = TlpUse::payload;
    return train;
}

TEST_CASE("dma: payload of a page that the NIC does not know is read when it does, and others pass it") {
    DmaBench bench({});
    bench.translations.missing.insert(kSecondPage);
    bench.at(0ns, [&] {
        CHECK(bench.read(ReadClass::payload, {{4096, 64}}, 1));
        CHECK(bench.read(ReadClass::payload, {{0, 64}}, 2));
        CHECK(bench.read(ReadClass::wqe, {{4096, 64}}, 3));  // WQEs are where the context says
    });
    bench.at(500ns, [&] {
        CHECK(bench.link.reads.size() == 2);
        bench.translations.bring(kSecondPage);
        REQUIRE(bench.link.reads.size() == 3);
        CHECK(bench.link.reads[2].train.from == kSecondPage);
    });
    bench.run();
}

TEST_CASE("dma: bulk writes stay in order when one waits for a translation") {
    DmaBench bench({});
    bench.translations.missing.insert(kSecondPage);
    bench.at(0ns, [&] {
        bench.dma.write(payload(kSecondPage), nullptr);
        bench.dma.write(payload(Memory::kBase), nullptr);
    });
    bench.at(500ns, [&] {
        CHECK(bench.link.writes.empty());
        bench.translations.bring(kSecondPage);
        REQUIRE(bench.link.writes.size() == 2);
        CHECK(bench.link.writes[0].train.to == kSecondPage);
        CHECK(bench.link.writes[1].train.to == Memory::kBase);
    });
    bench.run();
    CHECK(Picoseconds(statistic(bench.dma, "writes_translate")) == 500ns);
    CHECK(statistic(bench.dma, "writes_blocked") == 0);
}

// The second write comes at 100 ns. Its translation is there at 400 ns, the only place among writes in flight at
// `place`.
void lack_both(DmaBench& bench, Picoseconds place) {
    bench.translations.missing.insert(kSecondPage);
    bench.at(0ns, [&bench] { bench.dma.write(payload(Memory::kBase), nullptr); });
    bench.at(100ns, [&bench] { bench.dma.write(payload(kSecondPage), nullptr); });
    bench.at(200ns, [&bench, place] { bench.dma.write_scheduled(bench.link.writes.at(0).train.token, place, 900ns); });
    bench.at(400ns, [&bench] { bench.translations.bring(kSecondPage); });
    bench.run();
}

TEST_CASE("dma: a write that lacks its translation shows that if it is the last that comes") {
    DmaBench bench({.writes = 1});
    lack_both(bench, 300ns);
    CHECK(Picoseconds(statistic(bench.dma, "writes_blocked")) == 200ns);
    CHECK(Picoseconds(statistic(bench.dma, "writes_translate")) == 100ns);
}

TEST_CASE("dma: a write that lacks its translation shows writes in flight if a place comes later") {
    DmaBench bench({.writes = 1});
    lack_both(bench, 600ns);
    CHECK(Picoseconds(statistic(bench.dma, "writes_blocked")) == 500ns);
    CHECK(Picoseconds(statistic(bench.dma, "writes_translate")) == 0ns);
}

}  // namespace ndsim::test::translations_test

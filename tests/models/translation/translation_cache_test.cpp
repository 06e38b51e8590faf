// SPDX-License-Identifier: Apache-2.0
#include "models/translation/translation_cache.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test::cache_test {

constexpr Address page(std::uint64_t number, std::uint64_t offset = 0) {
    return Address{number * 4096 + offset};
}
using Told = std::vector<std::pair<std::uint32_t, Picoseconds>>;

// A fetch takes 400 ns.
struct TranslationBench final : Bench, TranslationClient {
    explicit TranslationBench(std::uint32_t entries, std::uint32_t fetches = 16, Bytes bytes = 64_B)
        : cache("translation", timeline, {entries, 4096_B, bytes, fetches}) {
        cache.dma.bind(dma);
        cache.table_at(Memory::kBase);
    }
    void translated(std::uint32_t token) override { told.emplace_back(token, now()); }
    void add(Address base, std::uint64_t length) {
        MemoryRegion region;
        region.base = base;
        region.length = length;
        cache.add(region);
    }
    std::uint32_t use(Address address, std::uint32_t length = 64, std::uint32_t token = 0) {
        return cache.use(address, length, *this, token);
    }

    Memory memory{1U << 20U};
    Dma dma{*this, memory};
    TranslationCache cache;
    Told told;
};

TEST_CASE("translation: the pages of a new region are there, of a large one the last", "[limit]") {
    TranslationBench bench(4);
    bench.add(page(1, 100), 8192);  // pages 1 to 3
    bench.at(0ns, [&] {
        CHECK(bench.use(page(1)) == 0);
        CHECK(bench.use(page(3, 4095), 1) == 0);
        bench.add(page(100), 4096 * 10);
        CHECK(bench.use(page(106), 4 * 4096) == 0);
        CHECK(bench.use(page(105), 1) == 1);
    });
    bench.run();
    CHECK(bench.dma.reads.size() == 1);
    bench.cache.check_idle();
}

TEST_CASE("translation: a missing page is fetched once, and everybody who waits for it is told", "[formula]") {
    TranslationBench bench(4);
    bench.at(10ns, [&] {
        CHECK(bench.use(page(7), 64, 1) == 1);
        CHECK(bench.use(page(7), 4096, 2) == 1);
    });
    bench.at(100ns, [&] { CHECK(bench.use(page(7), 64, 3) == 1); });
    bench.at(410ns + 1_ps, [&] { CHECK(bench.use(page(7)) == 0); });
    bench.run();
    REQUIRE(bench.dma.reads.size() == 1);
    CHECK(bench.dma.reads[0].cls == ReadClass::translation);
    CHECK(bench.dma.reads[0].pieces.at(0).from == Memory::kBase + 7 * 64);
    CHECK(bench.told == Told{{1, 410ns}, {2, 410ns}, {3, 410ns}});
    CHECK(statistic(bench.cache, "misses") == 1);
}

TEST_CASE("translation: a transfer over three pages waits for those that are missing") {
    TranslationBench bench(4);
    bench.add(page(11), 4096);
    bench.at(0ns, [&] { CHECK(bench.use(page(10, 4000), 4096 + 200, 5) == 2); });
    bench.run();
    CHECK(bench.told == Told{{5, 400ns}, {5, 400ns}});
}

TEST_CASE("translation: no entry reaches beyond the table, however long it is") {
    // 96 bytes: the last of 10,922 entries ends 64 bytes before the table does; the next one stands at its beginning.
    TranslationBench bench(4, 16, 96_B);
    bench.at(0ns, [&] {
        CHECK(bench.use(page(10'921)) == 1);
        CHECK(bench.use(page(10'922)) == 1);
    });
    bench.run();
    CHECK(bench.dma.reads.at(0).pieces.at(0).from == Memory::kBase + (TranslationCache::kTableBytes - 64 - 96));
    CHECK(bench.dma.reads.at(1).pieces.at(0).from == Memory::kBase);
}

TEST_CASE("translation: so many are fetched at once, and the one not used for longest makes room", "[limit]") {
    TranslationBench bench(2, 2);
    bench.at(0ns, [&] {
        CHECK(bench.use(page(1), 64, 1) == 1);
        CHECK(bench.use(page(2), 64, 2) == 1);
        CHECK(bench.use(page(3), 64, 3) == 1);
    });
    bench.at(400ns - 1_ps, [&] { CHECK(bench.dma.reads.size() == 2); });
    bench.at(1us, [&] {
        CHECK(bench.dma.reads.at(2).at == 400ns);
        CHECK(bench.use(page(2)) == 0);
        CHECK(bench.use(page(3)) == 0);
        CHECK(bench.use(page(1), 64, 4) == 1);
    });
    bench.run();
    CHECK(bench.told == Told{{1, 400ns}, {2, 400ns}, {3, 800ns}, {4, 1400ns}});
}

}  // namespace ndsim::test::cache_test

// SPDX-License-Identifier: Apache-2.0
#include "models/context/context_cache.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test::cache_test {

constexpr QpNum qp(std::uint32_t index) {
    return QpNum{kFirstQp + index};
}
using Served = std::vector<std::pair<std::uint32_t, Picoseconds>>;

// Ten queue pairs, and somebody who serves them. A fetch takes 400 ns.
struct ContextBench final : Bench, ContextClient {
    explicit ContextBench(std::uint32_t entries, std::uint32_t fetches = 16, std::uint32_t queue_pairs = 10,
                          Bytes bytes = 256_B)
        : cache("context", timeline, {entries, bytes, fetches}) {
        cache.dma.bind(dma);
        cache.table_at(Memory::kBase);
        for (std::uint32_t i = 0; i < queue_pairs; ++i) {
            QpAttributes attributes;
            attributes.qp = qp(i);
            cache.create_qp(attributes);
        }
    }
    void context_ready(QpNum ready) override { served.emplace_back(qp_index(ready), now()); }
    bool use(std::uint32_t index) { return cache.use(qp(index), *this); }

    Memory memory{1U << 20U};
    Dma dma{*this, memory};
    ContextCache cache;
    Served served;
};

TEST_CASE("context: as many as fit are there, those created last", "[limit]") {
    ContextBench bench(4);
    for (std::uint32_t i = 6; i < 10; ++i) {
        CHECK(bench.use(i));
    }
    bench.at(0ns, [&] { CHECK_FALSE(bench.use(5)); });  // the one before them has made room
    bench.run();
    CHECK(bench.dma.reads.size() == 1);
}

TEST_CASE("context: a missing one is read from its place in host memory, and is there from then on", "[formula]") {
    ContextBench bench(4);
    bench.at(10ns, [&] {
        CHECK_FALSE(bench.use(3));
        CHECK_FALSE(bench.use(3));  // asked for once, told once
    });
    bench.at(500ns, [&] { CHECK(bench.use(3)); });
    bench.run();
    REQUIRE(bench.dma.reads.size() == 1);
    CHECK(bench.dma.reads[0].cls == ReadClass::context);
    CHECK(bench.dma.reads[0].pieces.at(0).from == Memory::kBase + 3 * 256);
    CHECK(bench.dma.reads[0].pieces.at(0).length == 256);
    CHECK(bench.served == Served{{3, 410ns}});
    CHECK(statistic(bench.cache, "misses") == 1);
    bench.cache.check_idle();
}

TEST_CASE("context: the one not used for longest makes room") {
    ContextBench bench(4);  // 6, 7, 8, 9
    CHECK(bench.use(6));
    bench.at(0ns, [&] { CHECK_FALSE(bench.use(0)); });
    bench.at(1us, [&] {
        CHECK(bench.use(6));
        CHECK_FALSE(bench.use(7));
    });
    bench.run();
    CHECK(bench.served == Served{{0, 400ns}, {7, 1400ns}});
}

TEST_CASE("context: so many are fetched at once, the next when one is there", "[limit]") {
    ContextBench bench(4, 2);
    bench.at(0ns, [&] { CHECK_FALSE(bench.use(0)); });
    bench.at(100ns, [&] {
        CHECK_FALSE(bench.use(1));
        CHECK_FALSE(bench.use(2));
    });
    bench.at(400ns - 1_ps, [&] { CHECK(bench.dma.reads.size() == 2); });
    bench.run();
    // The third begins at 400 ns.
    CHECK(bench.dma.reads.at(2).at == 400ns);
    CHECK(bench.served == Served{{0, 400ns}, {1, 500ns}, {2, 800ns}});
}

TEST_CASE("context: without a tag for the read it is tried again") {
    ContextBench bench(4);
    bench.dma.refuses = true;
    bench.at(0ns, [&] { CHECK_FALSE(bench.use(0)); });
    bench.at(1us, [&] { bench.dma.space(); });
    bench.run();
    CHECK(bench.served == Served{{0, 1400ns}});
}

TEST_CASE("context: everybody who waits for it is told") {
    struct Other final : ContextClient {
        void context_ready(QpNum) override { ++told; }
        int told = 0;
    };
    Other other;
    ContextBench bench(4);
    bench.at(0ns, [&] {
        CHECK_FALSE(bench.use(0));
        CHECK_FALSE(bench.cache.use(qp(0), other));
    });
    bench.run();
    CHECK(bench.served.size() == 1);
    CHECK(other.told == 1);
    CHECK(bench.dma.reads.size() == 1);
}

TEST_CASE("context: a destroyed queue pair's place is free, and a fetch that is under way is waited for") {
    ContextBench bench(4);
    bench.at(0ns, [&] {
        bench.cache.destroy_qp(qp(9));
        CHECK_FALSE(bench.use(0));
        CHECK_FALSE(bench.cache.is_quiet(qp(0)));
    });
    bench.at(1us, [&] {
        CHECK(bench.cache.is_quiet(qp(0)));
        for (const std::uint32_t kept : {6U, 7U, 8U, 0U}) {
            CHECK(bench.use(kept));
        }
    });
    bench.run();
}

TEST_CASE("context: none reaches beyond the table, however long it is") {
    // 4000 bytes: 8388 contexts fit, and the next one stands at the beginning of the table.
    ContextBench bench(1, 16, 8390, Bytes{4000});
    bench.at(0ns, [&] { CHECK_FALSE(bench.use(8388)); });
    bench.run();
    CHECK(bench.dma.reads.at(0).pieces.at(0).from == Memory::kBase);
}

// 16 fetches of 400 ns: 40 M contexts a second, whatever the order, if none is ever there.
TEST_CASE("context: with more queue pairs than entries in turn every use misses, at fetches / latency", "[formula]") {
    ContextBench bench(64, 16, 128);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 64; ++i) {
            CHECK_FALSE(bench.use(i));
        }
    });
    bench.run();
    REQUIRE(bench.served.size() == 64);
    for (std::int64_t i = 0; i < 64; ++i) {
        CHECK(bench.served[static_cast<std::size_t>(i)].second == (1 + i / 16) * 400ns);
    }
}

}  // namespace ndsim::test::cache_test

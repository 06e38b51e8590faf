// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/models/wqe/rq_bench.hpp"

namespace prefetch_limit_test {

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

// 24 receives posted, batches of 8: how many entries are fetched before a message comes, and when the next read follows
// messages that take one every microsecond from 10 us on.
struct Prefetched {
    std::uint32_t entries = 0;
    Picoseconds next{};
};
Prefetched prefetched(std::uint32_t rq_prefetch) {
    RqBench bench(rq_prefetch);
    Prefetched result;
    std::size_t reads = 0;
    bench.at(0ns, [&] { bench.post(24); });
    bench.at(9us, [&] {
        reads = bench.dma.reads.size();
        for (const std::uint32_t entries : bench.fetched()) {
            result.entries += entries;
        }
    });
    for (std::int64_t i = 0; i < 8; ++i) {
        bench.at(10us + i * 1us, [&] {
            Wqe wqe;
            CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
        });
    }
    bench.run();
    result.next = bench.dma.reads.at(reads).at;
    return result;
}

TEST_CASE("rq: two batches ahead, the next when the eighth receive of the first is taken", "[limit]") {
    const Prefetched found = prefetched(16);
    CHECK(found.entries == 16);
    CHECK(found.next == 17us);
}

// 17 - 16 = 1 is no whole batch; after seven are taken 8 fit.
TEST_CASE("rq: with one more allowed ahead, the next when the seventh is taken", "[limit]") {
    const Prefetched found = prefetched(17);
    CHECK(found.entries == 16);
    CHECK(found.next == 16us);
}

}  // namespace prefetch_limit_test

// SPDX-License-Identifier: Apache-2.0

#include "tests/models/wqe/rq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::prefetch_limit_test {

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

// How many receives messages get in four microseconds, if each message follows the one before it at once: the reads of
// what may be ahead are under way all the time, 400 ns each.
std::size_t taken_at_most(std::uint32_t rq_prefetch) {
    RqBench bench(rq_prefetch);
    std::size_t taken = 0;
    const auto take_all = [&] {
        Wqe wqe;
        while (bench.rq.take(kQp, wqe) == ReceiveTake::taken) {
            ++taken;
            bench.post(1);
        }
    };
    bench.ready.then = take_all;
    bench.at(0ns, [&] {
        bench.post(24);
        take_all();
    });
    std::size_t found = 0;
    bench.at(4us + 1ns, [&] {
        found = taken;
        bench.ready.then = [] {};
    });
    bench.run();
    return found;
}

// Ten times 400 ns, in reads of one.
TEST_CASE("rq: with three ahead three receives are there in the time of a read", "[limit][formula]") {
    CHECK(taken_at_most(3) == 30);
}

// In reads of two.
TEST_CASE("rq: with one more allowed ahead four are", "[limit]") {
    CHECK(taken_at_most(4) == 40);
}

// The fifth finds no room for a read of two.
TEST_CASE("rq: with an odd number the last one waits for a second") {
    CHECK(taken_at_most(5) == 40);
}

TEST_CASE("rq: with sixteen ahead two batches of eight are") {
    CHECK(taken_at_most(16) == 160);
}

TEST_CASE("rq: with three ahead each receive that is taken lets the next be read") {
    RqBench bench(3);
    Wqe wqe;
    bench.at(0ns, [&] { bench.post(24); });
    for (const Picoseconds at : {1000ns, 1010ns, 1020ns}) {
        bench.at(at, [&] { CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken); });
    }
    bench.run();
    std::vector<Picoseconds> begun;
    for (const auto& read : bench.dma.reads) {
        CHECK(read.pieces.at(0).length == 64);
        begun.push_back(read.at);
    }
    CHECK(begun == std::vector<Picoseconds>{0ns, 0ns, 0ns, 1000ns, 1010ns, 1020ns});
}

// Otherwise a doorbell for each receive would cost a read for each.
TEST_CASE("rq: behind a read under way what is posted one by one is gathered until it is a batch") {
    RqBench bench;
    for (std::int64_t i = 0; i < 12; ++i) {
        bench.at(i * 10ns, [&] { bench.post(1); });  // all in the 400 ns of the first read
    }
    bench.run();
    CHECK(bench.fetched() == std::vector<std::uint32_t>{1, 8, 3});
    CHECK(bench.dma.reads.at(1).at == 80ns);   // when the ninth is posted
    CHECK(bench.dma.reads.at(2).at == 480ns);  // when all that is under way is there
}

TEST_CASE("rq: a read that is answered before an earlier one waits for it") {
    RqBench bench(4);
    bench.dma.latency.reset();
    Wqe wqe;
    bench.at(0ns, [&] {
        bench.post(4);
        CHECK(bench.fetched() == std::vector<std::uint32_t>{2, 2});
        bench.dma.answer(1, {100ns, 100ns});
        bench.dma.answer(0, {300ns, 300ns});
    });
    bench.at(200ns, [&] { CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::under_way); });
    bench.at(400ns, [&] {
        CHECK(bench.ready.seen == std::vector<std::pair<QpNum, Picoseconds>>{{kQp, 300ns}});
        for (std::uint32_t i = 0; i < 4; ++i) {
            CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
            CHECK(wqe.header.index == i);
        }
    });
    bench.run();
    CHECK(bench.payloads.in_use() == 0);
}

}  // namespace ndsim::test::prefetch_limit_test

// SPDX-License-Identifier: Apache-2.0

#include "tests/models/wqe/rq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::receive_queues_test {

using Numbers = std::vector<std::uint32_t>;

TEST_CASE("rq: a receive exists once its doorbell is decoded, and is fetched ahead of need") {
    RqBench bench;
    Wqe wqe;
    bench.at(0ns, [&] {
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::none_posted);
        bench.post(2);
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::under_way);
    });
    bench.at(500ns, [&] {
        CHECK(bench.ready.seen == std::vector<std::pair<QpNum, Picoseconds>>{{kQp, 400ns}});
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
        CHECK(wqe.header.index == 0);
        CHECK(wqe.length() == 100);
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
        CHECK(wqe.header.index == 1);
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::none_posted);
    });
    bench.run();
    CHECK(bench.dma.reads.at(0).cls == ReadClass::receive_wqe);
    CHECK(bench.ready.seen.size() == 1);
    CHECK(statistic(bench.rq, "misses") == 1);
    CHECK(statistic(bench.rq, "none_posted") == 2);
    check_at_rest(bench.rq);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("rq: fetches batches up to the prefetch depth, and tops up when a batch fits", "[limit]") {
    RqBench bench;
    Wqe wqe;
    bench.at(0ns, [&] { bench.post(24); });
    bench.at(2us, [&] {
        CHECK(bench.fetched() == Numbers{8, 8});  // 16 ahead
        for (int i = 0; i < 7; ++i) {
            CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
        }
        CHECK(bench.dma.reads.size() == 2);
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
        CHECK(bench.fetched() == Numbers{8, 8, 8});
    });
    bench.run();
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("rq: a fetch brings at most its own batch, whatever that of the send queues is") {
    RqBench bench(8, 3);
    bench.at(0ns, [&] { bench.post(24); });
    bench.run();
    CHECK(bench.fetched() == Numbers{3, 3});  // with six ahead, a third batch would be more than eight
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("rq: entries are handed out in order, over many turns of the ring, none of them beyond the producer") {
    RqBench bench(4);
    Wqe wqe;
    std::uint32_t taken = 0;
    for (std::int64_t i = 0; i < 40; ++i) {
        bench.at(i * 5us, [&] { bench.post(7); });
        for (int n = 0; n < 7; ++n) {
            bench.at(i * 5us + 500ns * (n + 1), [&] {
                REQUIRE(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
                REQUIRE(wqe.header.index == taken++);
            });
        }
        bench.at(i * 5us + 4us, [&] { REQUIRE(bench.rq.take(kQp, wqe) == ReceiveTake::none_posted); });
    }
    bench.run();
    CHECK(taken == 280);
    for (const auto& read : bench.dma.reads) {  // none over the end of the ring
        const std::uint64_t offset = raw(read.pieces[0].from) - raw(Memory::kBase);
        CHECK(offset + read.pieces[0].length <= 24 * 64);
    }
    check_at_rest(bench.rq);
}

TEST_CASE("rq: a fetch that DMA refuses is made when there is space") {
    RqBench bench;
    bench.dma.refuses = true;
    Wqe wqe;
    bench.at(0ns, [&] {
        bench.post(1);
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::under_way);
    });
    bench.at(1us, [&] { bench.dma.space(); });
    bench.run();
    CHECK(bench.ready.seen == std::vector<std::pair<QpNum, Picoseconds>>{{kQp, 1400ns}});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("rq: a failed queue pair's receives are flushed in order, fetched or not, and later ones at once") {
    RqBench bench;
    bench.at(0ns, [&] { bench.post(20); });
    bench.at(500ns, [&] { bench.rq.fail_qp(kQp); });  // eight are there, eight under way
    bench.at(5us, [&] { bench.post(1); });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 21);
    for (std::uint32_t i = 0; i < 21; ++i) {
        const auto& seen = bench.completions.seen[i];
        CHECK(seen.cq == kReceiveCq);
        CHECK(seen.cqe.wqe_index == i);
        CHECK(seen.cqe.status == WcStatus::wr_flush);
        CHECK(seen.cqe.opcode == WqeOpcode::receive);
        CHECK(seen.cqe.qp == kQp);
        CHECK(seen.told == (i < 20 ? 500ns : 5us));
    }
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("rq: a message that waits for its receive hears that the queue pair has failed") {
    RqBench bench;
    Wqe wqe;
    bench.at(0ns, [&] {
        bench.post(1);
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::under_way);
    });
    bench.at(100ns, [&] { bench.rq.fail_qp(kQp); });
    bench.run();
    CHECK(bench.ready.seen == std::vector<std::pair<QpNum, Picoseconds>>{{kQp, 100ns}});
}

TEST_CASE("rq: the ledger of a receive is charged for its doorbell and its fetch") {
    RqBench bench;
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    bench.at(100ns, [&] { bench.post(1); });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::doorbell)] == 100ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::wqe_fetch)] == 400ns);
}

}  // namespace ndsim::test::receive_queues_test

// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "models/parts/qp_watch.hpp"
#include "tests/models/wqe/wqe_bench.hpp"

namespace ndsim::test::fetch_test {

TEST_CASE("wqe: a doorbell makes the engine fetch, and the message starts when the WQE is there", "[formula]") {
    WqeBench bench;
    bench.at(10ns, [&] { bench.post(kQp, 1); });
    bench.run();
    CHECK(reads_of(bench) == Reads{{0, 1}});
    CHECK(bench.dma.reads[0].cls == ReadClass::wqe);
    REQUIRE(bench.messages.begun.size() == 1);
    CHECK(bench.messages.begun[0].at == 410ns);
    bench.check_done();
}

TEST_CASE("wqe: a queue pair's watch counts requests from the decoded doorbell until they are fetched") {
    WqeBench bench;
    QpWatch watch("watch", bench.timeline, {.sq = 8});
    QpAttributes attributes;
    attributes.qp = kQp;
    attributes.sq_ring = bench.ring(kQp);
    attributes.sq_units = bench.units;
    attributes.watch = &watch;
    bench.engine.create_qp(attributes);
    bench.engine.connect_qp(kQp, {});
    bench.at(10ns, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.build(kQp);
        }
        bench.engine.sq_doorbell({.qp = kQp, .producer = 3, .entries = 3});
    });
    bench.run();
    watch.sq_doorbelled.settle(bench.now());
    watch.sq_fetched.settle(bench.now());
    CHECK(watch.sq_doorbelled.occupancy().high_water() == 3);
    CHECK(watch.sq_doorbelled.occupancy().integral() == 3 * 400'000);  // three of them for the fetch's 400 ns
    CHECK(watch.sq_fetched.occupancy().level() == 3);                  // the requester's double takes none over
}

TEST_CASE("wqe: fetches whole batches, never beyond the producer index", "[limit]") {
    WqeBench bench;  // batch 8, so 16 units are held
    bench.at(0ns, [&] { bench.post(kQp, 20); });
    bench.run();
    CHECK(reads_of(bench) == Reads{{0, 8}, {8, 8}, {16, 4}});
    Numbers all(20);
    std::iota(all.begin(), all.end(), 1U);
    CHECK(requests_of(bench.messages.begun) == all);
    CHECK(statistic(bench.engine, "fetched_units") == 20);
    CHECK(statistic(bench.engine, "cut_fetches") == 2);  // 12 and 4 are left behind, and the third read takes the rest
    bench.check_done();
}

TEST_CASE("wqe: a fetch stops at the end of the ring and goes on at its beginning") {
    WqeBench bench(WqeBench::fast(), 12);
    bench.at(0ns, [&] { bench.post(kQp, 10); });
    bench.at(5us, [&] { bench.post(kQp, 6); });
    bench.run();
    CHECK(reads_of(bench) == Reads{{0, 8}, {8, 2}, {10, 2}, {0, 4}});
    CHECK(bench.messages.begun.size() == 16);
    bench.check_done();
}

TEST_CASE("wqe: a WQE across the end of the ring is put together") {
    WqeBench bench(WqeBench::fast(), 12);
    bench.at(0ns, [&] { bench.post(kQp, 5, 4); });  // 10 units
    bench.at(5us, [&] { bench.post(kQp, 2, 8); });  // 3 units each, the first over the end
    bench.run();
    CHECK(requests_of(bench.messages.begun) == Numbers{1, 2, 3, 4, 5, 6, 7});
    CHECK(bench.messages.packets.size() == 5 * 4 + 2 * 8);
    bench.check_done();
}

TEST_CASE("wqe: a WQE larger than a batch is fetched in several reads") {
    WqeParams params = WqeBench::fast();
    params.wqe_fetch_batch = 1;
    WqeBench bench(params);
    bench.at(0ns, [&] { bench.post(kQp, 2, 63); });  // 16 + 63 x 16 bytes: 16 units
    bench.run();
    CHECK(requests_of(bench.messages.begun) == Numbers{1, 2});
    CHECK(bench.dma.reads.size() == 32);
    bench.check_done();
}

TEST_CASE("wqe: work that DMA refuses is fetched when there is space") {
    WqeBench bench;
    bench.dma.refuses = true;
    bench.at(0ns, [&] {
        bench.post(kQp, 1);
        bench.post(kQp2, 1);
    });
    bench.at(1us, [&] { bench.dma.space(); });
    bench.run();
    CHECK(bench.dma.reads.size() == 2);
    CHECK(bench.messages.begun.size() == 2);
    bench.check_done();
}

TEST_CASE("wqe: a full WQE cache stops fetching until a message has given its units back") {
    WqeParams params = WqeBench::fast();
    params.wqe_cache = 16;
    WqeBench bench(params);
    bench.messages.blocked[kQp] = Stall::psn_window;
    bench.at(0ns, [&] { bench.post(kQp, 32); });  // holds all 16 units
    bench.at(2us, [&] { bench.post(kQp2, 4); });  // nothing left
    bench.at(3us, [&] {
        CHECK(bench.messages.packets.empty());
        CHECK(statistic(bench.engine, "fetched_units") == 16);
        bench.messages.blocked.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    CHECK(bench.messages.begun.size() == 36);
    bench.check_done();
}

TEST_CASE("wqe: a queue pair at a fence keeps the cache, and what others wait for it is named") {
    WqeParams params = WqeBench::fast();
    params.wqe_cache = 16;
    WqeBench bench(params);
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);  // number 1: the request of kQp2
    bench.messages.held[kQp] = Stall::fence;
    bench.at(0ns, [&] {
        bench.requests[kQp] = 100;
        bench.post(kQp, 16);  // two reads of eight units: 400 and 800 ns, from when on the cache is full
    });
    bench.at(1us, [&] { bench.post(kQp2, 1); });
    bench.at(3us, [&] {
        CHECK(statistic(bench.engine, "fetched_units") == 16);
        bench.messages.held.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    CHECK(requests_of(bench.messages.begun).back() == 1);
    // From 400 ns, when there was something to wait at the fence, until there was somebody who could not even begin.
    CHECK(statistic(bench.engine, "fence") == 600'000);
    CHECK(statistic(bench.engine, "wqe_cache") == 2'000'000);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::doorbell)] == 1us);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::wqe_cache)] == 2us);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::wqe_fetch)] == 400ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::arbitration)] == 0ns);
    bench.check_done();
}

TEST_CASE("wqe: a queue pair that holds the cache itself is not starved") {
    WqeParams params = WqeBench::fast();
    params.wqe_cache = 16;
    WqeBench bench(params);
    bench.messages.held[kQp] = Stall::fence;
    bench.at(0ns, [&] { bench.post(kQp, 20); });
    bench.at(3us, [&] {
        bench.messages.held.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    CHECK(bench.messages.begun.size() == 20);
    CHECK(statistic(bench.engine, "wqe_cache") == 0);
    CHECK(statistic(bench.engine, "fence") == 2'600'000);  // from 400 ns on
    bench.check_done();
}

// Requests 1 and 2 have ledgers. The first message, there at 400 ns, waits for the PSN window until 1 us.
LedgerBook& wait_in_the_first(WqeBench& bench) {
    LedgerBook& book = bench.ledgers.of(kHost);
    book.open(0ns);
    book.open(0ns);
    bench.messages.blocked = {{kQp, Stall::psn_window}};
    bench.at(1us, [&bench] {
        bench.messages.blocked = {};
        bench.engine.resume_qp(kQp);
    });
    return book;
}

TEST_CASE("wqe: a wait in the middle of a message is not charged to one that is posted later") {
    WqeBench bench;
    LedgerBook& book = wait_in_the_first(bench);
    bench.at(0ns, [&] { bench.post(kQp, 1, 2); });  // two packets
    bench.at(5us, [&] { bench.post(kQp, 1); });     // fetched until 5400 ns
    bench.run();
    const Ledger& next = *book.find(2);
    CHECK(next.accounts[static_cast<std::size_t>(Account::doorbell)] == 5us);
    CHECK(next.accounts[static_cast<std::size_t>(Account::wqe_fetch)] == 400ns);
    CHECK(next.accounts[static_cast<std::size_t>(Account::ack_return)] == 0ns);
}

// Both WQEs are there at 400 ns.
TEST_CASE("wqe: a wait in the middle of a message is also charged to the one that stands behind it") {
    WqeBench bench;
    LedgerBook& book = wait_in_the_first(bench);
    bench.at(0ns, [&] { bench.post(kQp, 2); });
    bench.run();
    CHECK(book.find(2)->accounts[static_cast<std::size_t>(Account::ack_return)] == 600ns);
}

TEST_CASE("wqe: a wait that ended with an earlier message is not charged to one behind a shared resource") {
    WqeBench bench;
    LedgerBook& book = wait_in_the_first(bench);
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    // The second WQE is there at 5400 ns, behind a queue pair that waits for the TX FIFO until 7 us.
    bench.at(4us, [&] {
        bench.messages.blocked = {{kQp2, Stall::tx_fifo}};
        bench.post(kQp2, 1);
    });
    bench.at(5us, [&] { bench.post(kQp, 1); });
    bench.at(7us, [&] {
        bench.messages.blocked = {};
        bench.engine.resume();
    });
    bench.run();
    const Ledger& next = *book.find(2);
    CHECK(next.accounts[static_cast<std::size_t>(Account::ack_return)] == 0ns);
    CHECK(next.accounts[static_cast<std::size_t>(Account::arbitration)] == 1600ns);
}

TEST_CASE("wqe: the ledger is charged for the doorbell until it is decoded, then for the fetch") {
    WqeBench bench;
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    REQUIRE(ledger.id.number == 1);
    bench.at(200ns, [&] { bench.post(kQp, 1); });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::doorbell)] == 200ns);
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::wqe_fetch)] == 400ns);
}

}  // namespace ndsim::test::fetch_test

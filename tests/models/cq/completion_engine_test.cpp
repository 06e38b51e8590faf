// SPDX-License-Identifier: Apache-2.0

#include "models/parts/cq_watch.hpp"
#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::engine_test {

constexpr CqNum kCq = CqBench::kCq;

TEST_CASE("cq: its watch counts entries from their making until the NIC hears of the poll") {
    CqBench bench;
    CqWatch watch("watch", bench.timeline, {.entries = 4});
    bench.engine.create_cq({kCq, Memory::kBase, 4, 4, 9, &watch});
    bench.at(100ns, [&] { bench.complete(); });
    bench.at(200ns, [&] { bench.complete(); });
    bench.at(500ns, [&] { bench.engine.consumer_index(kCq, 1); });
    bench.at(700ns, [&] { bench.engine.arm({kCq, Arm::any, 2, 2}); });
    bench.run();
    CHECK(watch.entries.occupancy().level() == 0);
    CHECK(watch.entries.occupancy().high_water() == 2);
    CHECK(watch.entries.occupancy().integral() == 400'000 + 500'000);  // 100 ... 500 ns and 200 ... 700 ns
}

TEST_CASE("cq: a consumer index that is older than the last one changes nothing") {
    CqBench bench;
    CqWatch watch("watch", bench.timeline, {.entries = 4});
    bench.engine.create_cq({kCq, Memory::kBase, 4, 4, 9, &watch});
    bench.at(100ns, [&] {
        for (int i = 0; i < 4; ++i) {
            bench.complete();
        }
    });
    bench.at(200ns, [&] { bench.engine.consumer_index(kCq, 3); });
    bench.at(300ns, [&] { bench.engine.consumer_index(kCq, 1); });
    bench.at(400ns, [&] { bench.engine.arm({kCq, Arm::any, 2, 4}); });
    bench.at(500ns, [&] {  // three places are free
        for (int i = 0; i < 3; ++i) {
            bench.complete();
        }
    });
    bench.run();
    CHECK(watch.entries.occupancy().level() == 4);
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("cq: entries go round the ring, the owner bit flips with every turn") {
    CqBench bench(3);
    for (std::uint32_t i = 0; i < 7; ++i) {
        bench.at(i * 1us, [&bench, i] {
            bench.complete(WcStatus::success, false, false, i);
            const std::byte* const entry = bench.memory.data.data() + (i % 3) * 64;
            CHECK(read_cqe(entry).wqe_index == i);
            CHECK(read_cqe(entry).written == i * 1us);
            CHECK(cqe_owner(entry) == (i < 3 || i == 6));
            bench.engine.consumer_index(kCq, i + 1);
        });
    }
    bench.run();
    CHECK(bench.cqes() == 7);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("cq: neither entries, nor heads, nor interrupts may become visible before earlier writes") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.engine.arm({kCq, Arm::any, 0, 0});
        bench.complete();
        bench.complete(WcStatus::success, false, true);  // behind payload
        bench.engine.write_head(Memory::kBase + 512, 1, 0ns);
    });
    bench.run();
    REQUIRE(bench.dma.writes.size() == 4);
    CHECK(bench.interrupts() == 1);
    for (const auto& write : bench.dma.writes) {
        CHECK_FALSE(write.train.relaxed);
    }
}

// 0x01020304 in the byte order of the hardware interface.
TEST_CASE("cq: how far a send queue is retired goes to memory in four bytes") {
    CqBench bench;
    bench.at(0ns, [&] { bench.engine.write_head(Memory::kBase + 256, 0x0102'0304, 5ns); });
    bench.run();
    REQUIRE(bench.dma.writes.size() == 1);
    const WriteTrain& train = bench.dma.writes[0].train;
    CHECK(train.to == Memory::kBase + 256);
    CHECK(train.length == 4);
    CHECK(train.ready.end == 5ns);
    CHECK(train.use == TlpUse::head);
    CHECK_FALSE(train.express);  // the next one must not overtake it, nor it the payload of a Read
    CHECK(bench.memory.data[256] == std::byte{0x04});
    CHECK(bench.memory.data[259] == std::byte{0x01});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("cq: an entry behind payload goes in the bulk stream, others as express") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.complete(WcStatus::success, false, true);
        bench.complete(WcStatus::success, false, false);
    });
    bench.run();
    CHECK_FALSE(bench.dma.writes.at(0).train.express);
    CHECK(bench.dma.writes.at(1).train.express);
    CHECK(bench.dma.writes.at(0).train.length == 64);
    CHECK(bench.dma.writes.at(0).train.use == TlpUse::cqe);
}

TEST_CASE("cq: never armed, never an interrupt", "[K66]") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.complete(WcStatus::success, true);
        bench.complete(WcStatus::wr_flush);
    });
    bench.run();
    CHECK(bench.interrupts() == 0);
}

TEST_CASE("cq: one arm, many entries: one interrupt, in the stream of its entry", "[K67][X57]") {
    CqBench bench(8);
    bench.at(0ns, [&] {
        bench.engine.arm({kCq, Arm::any, 0, 0});
        bench.complete(WcStatus::success, false, true);
        bench.complete(WcStatus::success, false, true);
        bench.complete();
    });
    bench.run();
    CHECK(bench.interrupts() == 1);
    REQUIRE(bench.dma.writes.size() == 4);
    CHECK(bench.dma.writes[1].train.interrupt);  // right behind the first
    CHECK_FALSE(bench.dma.writes[1].train.express);
    CHECK(bench.dma.writes[1].train.to == Address{9});
    CHECK(bench.dma.writes[1].train.use == TlpUse::interrupt);
}

TEST_CASE("cq: armed with an entry that software has not seen: an interrupt at once", "[K68][K70]") {
    CqBench bench;
    bench.at(0ns, [&] { bench.complete(); });
    bench.at(1us, [&] { bench.engine.arm({kCq, Arm::any, 0, 0}); });
    bench.run();
    CHECK(bench.interrupts() == 1);
    CHECK(bench.dma.writes.back().at == 1us);
}

TEST_CASE("cq: armed with entries that are no news: an interrupt only with the next one", "[K69]") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.complete();
        bench.complete();
    });
    bench.at(1us, [&] { bench.engine.arm({kCq, Arm::any, 0, 2}); });
    bench.at(2us, [&] {
        CHECK(bench.interrupts() == 0);
        bench.complete();
        CHECK(bench.interrupts() == 1);
    });
    bench.run();
    CHECK(bench.interrupts() == 1);
}

TEST_CASE("cq: indices wrap after 2^32 entries", "[K68][K69]") {
    // News is a matter of signed distance: entry 1 is ahead of "seen up to -1".
    CqBench bench;
    bench.at(0ns, [&] {
        bench.complete();
        bench.engine.arm({kCq, Arm::any, 0xFFFF'FFFF, 0xFFFF'FFFF});
        CHECK(bench.interrupts() == 1);
    });
    bench.run();
}

// What meets which arm: the table of ndkpi.md 5.4.
struct Meets {
    Arm arm;
    WcStatus status;
    bool solicited;
    bool fires;
};
constexpr Meets kMeets[] = {
    {Arm::any, WcStatus::success, false, true},      {Arm::any, WcStatus::success, true, true},
    {Arm::any, WcStatus::wr_flush, false, true},     {Arm::solicited, WcStatus::success, false, false},
    {Arm::solicited, WcStatus::success, true, true}, {Arm::solicited, WcStatus::wr_flush, false, true},
    {Arm::errors, WcStatus::success, false, false},  {Arm::errors, WcStatus::success, true, false},
    {Arm::errors, WcStatus::wr_flush, false, false},
};

TEST_CASE("cq: what meets an arm", "[K74][K75][K77][K78][K79][X56]") {
    CqBench bench;
    std::uint32_t number = 2;
    bench.at(0ns, [&] {
        for (const Meets& row : kMeets) {
            const CqNum cq{number++};
            bench.engine.create_cq({cq, Memory::kBase, 4, 4, 9});
            bench.engine.arm({cq, row.arm, 0, 0});
            Cqe cqe;
            cqe.status = row.status;
            cqe.solicited = row.solicited;
            const std::size_t before = bench.interrupts();
            bench.engine.complete(cq, cqe, bench.now(), false);
            INFO("row " << number - 3);
            CHECK(bench.interrupts() - before == (row.fires ? 1U : 0U));
        }
    });
    bench.run();
}

TEST_CASE("cq: an unsolicited entry leaves the arm, the solicited one behind it fires", "[K74]") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.engine.arm({kCq, Arm::solicited, 0, 0});
        bench.complete();
        CHECK(bench.interrupts() == 0);
        bench.complete(WcStatus::success, true);
        CHECK(bench.interrupts() == 1);
    });
    bench.run();
}

TEST_CASE("cq: arming an armed queue keeps the stronger wish, in either order", "[K73]") {
    CqBench bench;
    const Arm arms[] = {Arm::errors, Arm::solicited, Arm::any};
    std::uint32_t number = 2;
    bench.at(0ns, [&] {
        for (const Arm first : arms) {
            for (const Arm second : arms) {
                const CqNum cq{number++};
                bench.engine.create_cq({cq, Memory::kBase, 8, 8, 9});
                bench.engine.arm({cq, first, 0, 0});
                bench.engine.arm({cq, second, 0, 0});
                const bool any = first == Arm::any || second == Arm::any;
                const bool solicited = first == Arm::solicited || second == Arm::solicited;
                const std::size_t before = bench.interrupts();
                Cqe cqe;
                bench.engine.complete(cq, cqe, bench.now(), false);
                CHECK(bench.interrupts() - before == (any ? 1U : 0U));
                cqe.solicited = true;
                bench.engine.complete(cq, cqe, bench.now(), false);
                CHECK(bench.interrupts() - before == (any || solicited ? 1U : 0U));
            }
        }
    });
    bench.run();
}

TEST_CASE("cq: a queue that is gone takes nothing") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.engine.destroy_cq(kCq);
        bench.complete();
    });
    bench.run();
    CHECK(bench.dma.writes.empty());
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("cq: the ledger is charged until the entry is visible") {
    CqBench bench;
    Ledger& ledger = bench.ledgers.of(kHost).open(0ns);
    bench.at(1us, [&] {
        ledger.mark(Account::ack_return, 1us);
        Cqe cqe;
        cqe.request = ledger.id.number;
        bench.engine.complete(kCq, cqe, 1us, false);
    });
    bench.run();
    CHECK(ledger.accounts[static_cast<std::size_t>(Account::cqe)] == 200ns);
}

}  // namespace ndsim::test::engine_test

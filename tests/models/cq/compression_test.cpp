// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::compression_test {

constexpr CqNum kCq = CqBench::kCq;

QueueParams compressing(std::uint32_t completions, Picoseconds time) {
    QueueParams params;
    params.cqe_compression = completions;
    params.cqe_compression_time = time;
    return params;
}

// A queue in a ring of 8 at the beginning of memory, whose entries hold up to 4 completions and wait for 100 ns.
struct Compressing : CqBench {
    explicit Compressing(std::uint32_t completions = 4, Picoseconds time = 100ns, std::uint32_t entries = 8)
        : CqBench(entries, compressing(completions, time)) {}

    // A receive of 10 bytes times its index.
    void receive(std::uint32_t index, QpNum qp = kQp) {
        Cqe cqe;
        cqe.qp = qp;
        cqe.wqe_index = index;
        cqe.bytes = 10 * index;
        cqe.opcode = WqeOpcode::receive;
        engine.complete(kCq, cqe, now(), true);
    }
    [[nodiscard]] const std::byte* entry(std::uint32_t place) const { return memory.data.data() + place * kCqeSize; }
    // How many completions each write brought, and when it was given to DMA. Interrupts bring 0.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, Picoseconds>> writes() const {
        std::vector<std::pair<std::uint32_t, Picoseconds>> all;
        for (const auto& write : dma.writes) {
            const std::uint64_t place = write.train.interrupt ? 0 : raw(write.train.to) - raw(Memory::kBase);
            all.emplace_back(write.train.interrupt ? 0 : completions_of_cqe(memory.data.data() + place), write.at);
        }
        return all;
    }
    using Writes = std::vector<std::pair<std::uint32_t, Picoseconds>>;
};

// Eight completions, one each nanosecond from 1 us on. F12 of the formulae: 64/m bytes of entries for each.
void check_shared(std::uint32_t per_entry) {
    Compressing bench(per_entry);
    for (std::uint32_t i = 0; i < 8; ++i) {
        bench.at(1us + i * 1ns, [&bench, i] { bench.receive(i); });
    }
    bench.run();
    REQUIRE(bench.dma.writes.size() == 8 / per_entry);
    for (std::uint32_t i = 0; i < 8 / per_entry; ++i) {
        // With the completion that makes it full: the last of its own.
        CHECK(bench.writes()[i] == std::pair{per_entry, Picoseconds(1us + ((i + 1) * per_entry - 1) * 1ns)});
        CHECK(bench.dma.writes[i].train.length == 64);
        CHECK(raw(bench.dma.writes[i].train.to) - raw(Memory::kBase) == i * per_entry * 64);
    }
    CHECK(statistic(bench.engine, "cqes") == 8);
    CHECK(statistic(bench.engine, "entry_writes") == 8 / per_entry);
}

TEST_CASE("compression: so many completions share one write of 64 bytes", "[formula][limit]") {
    check_shared(4);
}

TEST_CASE("compression: eight completions fit in an entry", "[formula][limit]") {
    check_shared(8);
}

TEST_CASE("compression: a completion waits exactly its time for others", "[formula][limit]") {
    Compressing bench;
    bench.at(1us, [&] { bench.receive(0); });
    bench.at(1us + 100ns - 1_ps, [&] { bench.receive(1); });  // comes in time
    bench.at(1us + 100ns + 1_ps, [&] { bench.receive(2); });  // does not
    bench.run();
    // 1.1 us = the first + 100 ns; 1.200001 us = the third + 100 ns
    CHECK(bench.writes() == Compressing::Writes{{2, 1100ns}, {1, 1200ns + 1_ps}});
}

TEST_CASE("compression: the entry says of each completion which it is and how long") {
    Compressing bench;
    bench.at(0ns, [&] {
        bench.receive(70'000);  // of a shared queue, whose receives may end in any order
        bench.receive(69'990);
        bench.receive(102'767);  // 32,767 away
        bench.receive(70'001);
    });
    bench.run();
    REQUIRE(completions_of_cqe(bench.entry(0)) == 4);
    const std::array<std::uint32_t, 4> indices{70'000, 69'990, 102'767, 70'001};
    for (std::uint32_t i = 0; i < 4; ++i) {
        const Cqe cqe = read_compressed_cqe(bench.entry(0), i);
        CHECK(cqe.qp == kQp);
        CHECK(cqe.wqe_index == indices.at(i));
        CHECK(cqe.bytes == 10 * indices.at(i));
        CHECK(cqe.opcode == WqeOpcode::receive);
        CHECK(cqe.status == WcStatus::success);
    }
    CHECK(cqe_owner(bench.entry(0)));
}

TEST_CASE("compression: what cannot share an entry gets its own, behind it") {
    Compressing bench(4, 100ns, 16);
    const std::array<std::function<void()>, 5> others{
        [&] { bench.receive(2, QpNum{raw(kQp) + 1}); },              // of another queue pair
        [&] { bench.receive(32'768); },                              // too far away
        [&] { bench.complete(WcStatus::success, false, true, 2); },  // of the send queue
        [&] { bench.complete(WcStatus::loc_len, false, true, 2); },  // failed
        [&] { bench.complete(WcStatus::success, true, true, 2); },   // solicited
    };
    for (std::size_t i = 0; i < others.size(); ++i) {
        bench.at(static_cast<std::int64_t>(i) * 1us, [&, i] {
            bench.receive(0);
            bench.receive(1);
            others.at(i)();
        });
    }
    bench.run();
    REQUIRE(bench.dma.writes.size() == 2 * others.size());
    for (std::size_t i = 0; i < others.size(); ++i) {
        INFO("case " << i);
        CHECK(bench.writes()[2 * i] == std::pair{2U, Picoseconds(static_cast<std::int64_t>(i) * 1us)});
        CHECK(bench.writes()[2 * i + 1].first == 1);
        CHECK(bench.dma.writes[2 * i + 1].train.to == Memory::kBase + (3 * i + 2) * 64);
    }
}

TEST_CASE("compression: what failed or is solicited waits for nobody") {
    Compressing bench;
    bench.at(1us, [&] { bench.complete(WcStatus::wr_flush); });
    bench.at(2us, [&] { bench.complete(WcStatus::success, true); });
    bench.run();
    CHECK(bench.writes() == Compressing::Writes{{1, 1us}, {1, 2us}});
    CHECK(statistic(bench.engine, "gathered") == 0);
}

TEST_CASE("compression: an express entry and one behind payload stay apart") {
    Compressing bench;
    bench.at(0ns, [&] {
        bench.complete();
        bench.complete(WcStatus::success, false, true);
        bench.complete();  // behind the second, so it goes as that does
    });
    bench.run();
    REQUIRE(bench.dma.writes.size() == 2);
    CHECK(bench.dma.writes[0].train.express);
    CHECK_FALSE(bench.dma.writes[1].train.express);
    CHECK(bench.writes()[1].first == 2);
}

TEST_CASE("compression: an interrupt goes at once, and finds the entry", "[K67][K93]") {
    Compressing bench;
    bench.at(0ns, [&] { bench.engine.arm({kCq, Arm::any, 0, 0}); });
    bench.at(1us, [&] {
        bench.receive(0);
        bench.receive(1);
    });
    bench.run();
    CHECK(bench.writes() == Compressing::Writes{{1, 1us}, {0, 1us}, {1, 1100ns}});
}

TEST_CASE("compression: an arm lets out what waits, and the interrupt behind it", "[K68]") {
    Compressing bench;
    bench.at(1us, [&] {
        bench.receive(0);
        bench.receive(1);
    });
    bench.at(1050ns, [&] { bench.engine.arm({kCq, Arm::any, 0, 0}); });
    bench.run();
    CHECK(bench.writes() == Compressing::Writes{{2, 1050ns}, {0, 1050ns}});
}

TEST_CASE("compression: an entry ends with the ring") {
    Compressing bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 6; ++i) {  // 0 to 3, 4 and 5
            bench.receive(i);
        }
    });
    bench.at(1us, [&] {
        bench.engine.consumer_index(kCq, 6);
        for (std::uint32_t i = 6; i < 10; ++i) {  // 6 and 7 at the end, 8 and 9 at the beginning
            bench.receive(i);
        }
    });
    bench.run();
    CHECK(bench.writes() == Compressing::Writes{{2, 0ns}, {2, 100ns}, {2, 1us}, {2, 1100ns}});
    CHECK_FALSE(cqe_owner(bench.entry(0)));  // the second turn
}

TEST_CASE("compression: a resize comes behind what waits", "[K169]") {
    Compressing bench;
    bench.at(0ns, [&] {
        bench.receive(0);
        bench.receive(1);
    });
    bench.at(50ns, [&] { CHECK(bench.engine.resize_cq({kCq, Memory::kBase + 0x1000, 16, 15, 0})); });
    bench.run();
    REQUIRE(bench.dma.writes.size() == 2);
    CHECK(bench.writes()[0] == std::pair{2U, Picoseconds(50ns)});
    CHECK(cqe_moved(bench.entry(2)));
}

TEST_CASE("compression: a queue that is gone forgets what waits") {
    Compressing bench;
    bench.at(0ns, [&] { bench.receive(0); });
    bench.at(50ns, [&] { bench.engine.destroy_cq(kCq); });
    bench.run();
    CHECK(bench.dma.writes.empty());
    CHECK(bench.payloads.in_use() == 0);
    CHECK(bench.now() == 50ns);  // and rings no alarm
}

TEST_CASE("compression: an overrun lets out what waits", "[K163]") {
    Compressing bench(3, 10us);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 9; ++i) {  // three, three, two that wait, and one too many
            bench.receive(i);
        }
    });
    bench.run();
    CHECK(statistic(bench.engine, "overruns") == 1);
    // The engine asks memory for the index first, 400 ns.
    CHECK(bench.writes() == Compressing::Writes{{3, 0ns}, {3, 0ns}, {2, 400ns}});
}

TEST_CASE("compression: the ledger of each request ends when the entry is visible") {
    Compressing bench;
    LedgerBook& book = bench.ledgers.of(kHost);
    const std::uint32_t first = book.open(0ns).id.number;
    const std::uint32_t second = book.open(0ns).id.number;
    const auto complete = [&](std::uint32_t request) {
        book.mark(request, {{Account::ack_return, bench.now()}});
        Cqe cqe;
        cqe.qp = kQp;
        cqe.request = request;
        bench.engine.complete(kCq, cqe, bench.now(), false);
    };
    bench.at(1us, [&] { complete(first); });
    bench.at(1040ns, [&] { complete(second); });
    bench.run();
    // Written 100 ns after the first, visible 200 ns later.
    const auto cqe_account = [&](std::uint32_t request) {
        return book.find(request)->accounts[static_cast<std::size_t>(Account::cqe)];
    };
    CHECK(cqe_account(first) == 300ns);
    CHECK(cqe_account(second) == 260ns);
}

}  // namespace ndsim::test::compression_test

// SPDX-License-Identifier: Apache-2.0

#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::moderation_test {

constexpr CqNum kCq = CqBench::kCq;
using Times = std::vector<Picoseconds>;

Moderation limits(std::optional<Picoseconds> interval, std::optional<std::uint32_t> count) {
    return {interval, count};
}

// A queue that is armed for anything, and gets an entry every microsecond from 1 us on.
struct Moderated : CqBench {
    explicit Moderated(const Moderation& moderation, int entries = 8) : CqBench(64) {
        at(0ns, [this, moderation] {
            engine.moderate_cq(kCq, moderation);
            engine.arm({.cq = kCq, .wish = Arm::any});
        });
        for (int i = 1; i <= entries; ++i) {
            at(i * 1us, [this] { complete(); });
        }
    }
};

TEST_CASE("moderation: the interval runs from the entry that met the arm", "[K87][formula][limit]") {
    Moderated bench(limits(5us, std::nullopt));
    bench.run();
    CHECK(bench.interrupt_times() == Times{6us});
    CHECK(statistic(bench.engine, "moderated") == 5);  // those at 2 to 6 us; the script comes before the engine
}

TEST_CASE("moderation: the count begins with the entry that met the arm", "[K88][formula][limit]") {
    Moderated bench(limits(std::nullopt, 3));
    bench.run();
    CHECK(bench.interrupt_times() == Times{3us});
}

TEST_CASE("moderation: the first limit that is reached counts", "[K87][K88][formula]") {
    Moderated bench(limits(2500ns, 4));
    bench.run();
    CHECK(bench.interrupt_times() == Times{3500ns});
}

TEST_CASE("moderation: the count may come first", "[K87][K88]") {
    Moderated bench(limits(2500ns, 3));
    bench.run();
    CHECK(bench.interrupt_times() == Times{3us});
    // The deadline at 3.5 us is gone with it: the last entry, at 8 us, is the end, and no second interrupt comes.
    CHECK(bench.now() == 8us);
}

TEST_CASE("moderation: without a setting there is none, and a setting without limits ends it", "[K86][K89][K90]") {
    Moderated none({});
    none.at(1500ns, [&] { CHECK(none.interrupts() == 1); });
    none.run();
    CHECK(none.interrupt_times() == Times{1us});
}

TEST_CASE("moderation: an entry that does not meet the arm starts nothing", "[K87]") {
    CqBench bench;
    bench.at(0ns, [&] {
        bench.engine.moderate_cq(kCq, limits(5us, 2));
        bench.engine.arm({.cq = kCq, .wish = Arm::solicited});
        bench.complete();
        bench.complete();
    });
    bench.at(2us, [&] { bench.complete(WcStatus::success, true); });
    bench.run();
    CHECK(bench.interrupt_times() == Times{7us});
}

TEST_CASE("moderation: a new setting holds for an interrupt that waits", "[K94]") {
    Moderated bench(limits(100us, std::nullopt), 4);
    bench.at(2500ns, [&] { bench.engine.moderate_cq(kCq, limits(9us, std::nullopt)); });
    bench.at(3500ns, [&] { bench.engine.moderate_cq(kCq, limits(6us, std::nullopt)); });
    bench.run();
    CHECK(bench.interrupt_times() == Times{7us});  // 1 us + 6 us: the last setting
}

TEST_CASE("moderation: a new setting whose limit has been reached lets the interrupt go at once", "[K94]") {
    Moderated by_count(limits(100us, std::nullopt), 4);
    by_count.at(3500ns, [&] { by_count.engine.moderate_cq(kCq, limits(std::nullopt, 3)); });
    by_count.run();
    CHECK(by_count.interrupt_times() == Times{3500ns});
}

TEST_CASE("moderation: ending it lets the interrupt go at once", "[K94]") {
    Moderated bench(limits(100us, std::nullopt), 4);
    bench.at(3500ns, [&] { bench.engine.moderate_cq(kCq, {}); });
    bench.run();
    CHECK(bench.interrupt_times() == Times{3500ns});
    CHECK(bench.now() == 4us);  // nothing is left of the deadline at 101 us
}

TEST_CASE("moderation: an arm that finds new entries counts them and the time since the oldest", "[K87][K88]") {
    CqBench bench(16);
    bench.at(0ns, [&] { bench.engine.moderate_cq(kCq, limits(5us, 3)); });
    bench.at(1us, [&] { bench.complete(); });
    bench.at(3us, [&] { bench.engine.arm({.cq = kCq, .wish = Arm::any}); });
    bench.run();
    CHECK(bench.interrupt_times() == Times{6us});
    bench.at(10us, [&] {
        for (int i = 0; i < 3; ++i) {
            bench.complete();
        }
        bench.engine.arm({.cq = kCq, .wish = Arm::any, .consumer = 1, .seen = 1, .serial = 1});
    });
    bench.run();
    CHECK(bench.interrupt_times() == Times{6us, 10us});
}

// An entry is made at 1 us, the moderation set at 3 us: the interval of that entry ends at 8 us.
std::vector<Picoseconds> interrupts_if_armed_at(Picoseconds armed) {
    CqBench bench(16);
    bench.at(1us, [&] { bench.complete(); });
    bench.at(3us, [&] { bench.engine.moderate_cq(kCq, limits(5us, std::nullopt)); });
    bench.at(armed, [&] { bench.engine.arm({.cq = kCq, .wish = Arm::any}); });
    bench.run();
    return bench.interrupt_times();
}

TEST_CASE("moderation: set behind an entry, its interval begins there", "[K87]") {
    CHECK(interrupts_if_armed_at(4us) == Times{8us});
}

TEST_CASE("moderation: set behind an entry, its interval does not begin with a later arm", "[K87]") {
    CHECK(interrupts_if_armed_at(20us) == Times{20us});
}

// The entry of 1 us has been polled when that of 100 us comes, which is new to the arm at 101 us.
TEST_CASE("moderation: an entry that was polled without an arm does not count", "[K87]") {
    CqBench bench(16);
    bench.at(0ns, [&] { bench.engine.moderate_cq(kCq, limits(50us, std::nullopt)); });
    bench.at(1us, [&] { bench.complete(); });
    bench.at(100us, [&] { bench.complete(); });
    bench.at(101us, [&] { bench.engine.arm({.cq = kCq, .wish = Arm::any, .consumer = 1, .seen = 1}); });
    bench.run();
    CHECK(bench.interrupt_times() == Times{150us});
}

TEST_CASE("moderation: another arm while the interrupt waits changes nothing", "[K67]") {
    Moderated bench(limits(5us, std::nullopt), 3);
    bench.at(2500ns, [&] { bench.engine.arm({.cq = kCq, .wish = Arm::any}); });
    bench.run();
    CHECK(bench.interrupt_times() == Times{6us});
}

TEST_CASE("moderation: entries are written at once", "[K93]") {
    Moderated bench(limits(100us, std::nullopt), 2);
    bench.run();
    CHECK(bench.dma.writes.at(0).at == 1us);
    CHECK(bench.dma.writes.at(1).at == 2us);
}

TEST_CASE("moderation: an overrun ends the wait, and software hears of it by the event", "[K95]") {
    CqBench bench(2);
    bench.at(0ns, [&] {
        bench.engine.moderate_cq(kCq, limits(100us, std::nullopt));
        bench.engine.arm({.cq = kCq, .wish = Arm::any});
    });
    for (int i = 1; i <= 3; ++i) {
        bench.at(i * 1us, [&] { bench.complete(); });
    }
    bench.run();
    CHECK(bench.faults.failed == std::vector<CqNum>{kCq});
    CHECK(bench.interrupts() == 0);
    CHECK(bench.now() == 3us + 400ns);  // when the driver's index has been read; nothing waits any more
}

TEST_CASE("moderation: each queue has its own deadline, and one that is gone has none") {
    CqBench bench;
    const CqNum second{2};
    const CqNum third{3};
    bench.at(0ns, [&] {
        std::uint32_t vector = 100;
        for (const CqNum cq : {second, third}) {
            bench.engine.create_cq({cq, Memory::kBase, 4, 4, ++vector});
        }
        bench.engine.moderate_cq(kCq, limits(9us, std::nullopt));
        bench.engine.moderate_cq(second, limits(4us, std::nullopt));
        bench.engine.moderate_cq(third, limits(2us, std::nullopt));
        for (const CqNum cq : {kCq, second, third}) {
            bench.engine.arm({.cq = cq, .wish = Arm::any});
            bench.engine.complete(cq, {}, 0ns, false);
        }
    });
    bench.at(1us, [&] { bench.engine.destroy_cq(third); });
    bench.run();
    CHECK(bench.interrupt_times() == Times{4us, 9us});
    CHECK(bench.dma.writes.back().train.to == Address{9});  // the vector of the bench's own queue
}

}  // namespace ndsim::test::moderation_test

// SPDX-License-Identifier: Apache-2.0
#include "models/parts/ranks.hpp"
#include "sim/kernel/lane.hpp"
#include "tests/models/host/core_bench.hpp"
#include "tests/support/catch.hpp"

// The store buffer of a core.
namespace ndsim::test::core_stores_test {

using Times = std::vector<Picoseconds>;

TEST_CASE("core: with its store buffer full, a thread stalls until the link has taken a store", "[limit]") {
    CoreBench bench;  // room for two stores
    bench.core.run_thread([&] {
        bench.core.stored();
        bench.core.stored();
        CHECK_FALSE(bench.core.can_store());
        bench.core.stall();
        bench.seen.push_back(bench.core.clock());
        bench.core.stored();
        bench.core.stall();
        bench.seen.push_back(bench.core.clock());
    });
    bench.at(0ns, [&] {
        bench.core.store_left();
        bench.core.store_left();
        bench.core.store_taken(300ns);
        bench.core.store_taken(350ns);
    });
    bench.run();
    CHECK(bench.seen == Times{300ns, 350ns});
    CHECK(statistic(bench.core, "stalled") == 350'000);
    CHECK(statistic(bench.core, "store_buffer") == 350'000);  // what blocked it
    check_engines(bench.core);
    CHECK(bench.core.finished());
}

TEST_CASE("core: a thread stalls until it is told that the link has taken a store, however late that is") {
    CoreBench bench;
    bench.core.run_thread([&] {
        bench.core.stored();
        bench.core.stored();
        bench.core.stall();
        bench.seen.push_back(bench.core.clock());
    });
    bench.at(0ns, [&] {
        bench.core.store_left();
        bench.core.store_left();
    });
    bench.at(300ns, [&] { bench.core.store_taken(300ns); });
    bench.run();
    CHECK(bench.seen == Times{300ns});
    CHECK(statistic(bench.core, "stalled") == 300'000);
    check_engines(bench.core);
    CHECK(bench.core.finished());
}

// The core makes ten stores in one go, one every 150 ns, and the link takes each at once: none waits for another.
TEST_CASE("core: its store buffer holds what has left the core, however far the core is ahead") {
    CoreBench bench(10);
    struct Link final : Unit {
        Link(Timeline& timeline, Core& its_core)
            : Unit("link", timeline), core(its_core), leaving(*this, timeline, kRankStore) {}
        void leave(const int&) {
            core.store_left();
            core.store_taken(now());
        }
        Core& core;
        Lane<int, &Link::leave> leaving;
    } link(bench.timeline, bench.core);
    bench.core.run_thread([&] {
        for (int i = 0; i < 10; ++i) {
            bench.core.spend(CoreActivity::store, 150ns);
            CHECK(bench.core.can_store());
            bench.core.stored();
            link.leaving.push(bench.core.clock(), 0);
        }
        CHECK_FALSE(bench.core.can_store());  // as far as the core knows
        bench.core.sync();
        CHECK(bench.core.can_store());
    });
    bench.run();
    CHECK(bench.core.pools().front()->occupancy().high_water() == 1);
}

TEST_CASE("core: a stepper with its store buffer full is called again when there is room", "[limit]") {
    CoreBench bench;
    struct Link final : Unit {
        Link(Timeline& timeline, Core& its_core)
            : Unit("link", timeline), core(its_core), takes(*this, timeline, kRankStore) {}
        void take(const int&) {
            core.store_left();
            core.store_left();
            core.store_taken(400ns);
            core.store_taken(500ns);
        }
        Core& core;
        Lane<int, &Link::take> takes;
    } link(bench.timeline, bench.core);
    bench.core.run_stepper([&] {
        bench.note();
        if (bench.seen.size() == 1) {
            bench.core.stored();
            bench.core.stored();
            link.takes.push(10ns, 0);  // nothing is known of the stores until the link comes to them
        }
        if (bench.now() < 400ns) {
            bench.core.stall();
        }
    });
    bench.at(0ns, [&] { bench.core.wake(10ns); });
    bench.run();
    CHECK(bench.seen == Times{10ns, 400ns});
    CHECK(statistic(bench.core, "stalled") == 390'000);
}

}  // namespace ndsim::test::core_stores_test

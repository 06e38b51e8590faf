// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/ahead_pool.hpp"

#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/picoseconds.hpp"

namespace ndsim::test::ahead_pool_test {

class Owner : public Unit {
public:
    Owner(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}
    void restart_statistics(Picoseconds at) override {
        Unit::restart_statistics(at);
        slots.rewind(at);
    }

    static constexpr PoolFacts kSlots{"slots", "slots in use", PoolUnit::wqes};
    AheadPool slots{*this, kSlots, 8};
};

struct Bench {
    RunControl control;
    Timeline timeline{"timeline", control};
    Owner owner{"owner", timeline};
    AheadPool& slots = owner.slots;
};

// A core takes slots at 100, 200, 300 and 400 ps and gives one back at 250 ps, all before the simulation is at 150 ps.
// From 150 ps on there is 1 for 50 ps, 2 for 50 ps, 1 for 50 ps, 2 for 100 ps, and 3 for the last 100 ps.
TEST_CASE("ahead pool: statistics restart in the middle of a burst that was taken ahead") {
    Bench bench;
    AheadPool& slots = bench.slots;
    slots.take(1, 100_ps);
    slots.take(1, 200_ps);
    slots.give_at(1, 250_ps);
    slots.take(1, 300_ps);
    slots.take(1, 400_ps);
    bench.owner.restart_statistics(150_ps);
    slots.settle(500_ps);
    CHECK(slots.occupancy().integral() == 1 * 50 + 2 * 50 + 1 * 50 + 2 * 100 + 3 * 100);
    CHECK(slots.residence() == 700);
    CHECK(slots.occupancy().observed() == 350_ps);
    CHECK(slots.occupancy().high_water() == 3);
    CHECK(slots.taken() == 3);  // at 200, 300 and 400 ps
}

// Three are back at 450 ps, behind the last slot taken, so the restart does not touch them. The first of the burst, at
// 100 ps, is before it.
TEST_CASE("ahead pool: what comes back behind the burst comes back once") {
    Bench bench;
    AheadPool& slots = bench.slots;
    slots.take(3, 100_ps);
    slots.take(2, 300_ps);
    slots.give_at(3, 450_ps);
    bench.owner.restart_statistics(200_ps);
    CHECK(slots.occupancy().level() == 5);
    slots.settle(500_ps);
    CHECK(slots.occupancy().level() == 2);
    CHECK(slots.occupancy().integral() == 3 * 100 + 5 * 150 + 2 * 50);
    slots.give(2, 600_ps);
    CHECK(slots.residence() == 3 * 100 + 5 * 150 + 2 * 150);
}

TEST_CASE("ahead pool: without changes that lie ahead statistics restart where they are") {
    Bench bench;
    AheadPool& slots = bench.slots;
    slots.take(2, 100_ps);
    bench.owner.restart_statistics(200_ps);
    slots.take(1, 300_ps);
    slots.settle(400_ps);
    CHECK(slots.occupancy().integral() == 2 * 100 + 3 * 100);
    CHECK(slots.occupancy().observed() == 200_ps);
}

}  // namespace ndsim::test::ahead_pool_test

// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/pool.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "sim/base/invariant_error.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/picoseconds.hpp"

namespace ndsim::test::pool_test {

class Owner : public Unit {
public:
    Owner(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}

    static constexpr PoolFacts kTags{"tags", "tags in use", PoolUnit::tags};
    Pool tags{*this, kTags, 4};
};

struct Bench {
    RunControl control;
    Timeline timeline{"timeline", control};
    Owner owner{"owner", timeline};
    Pool& tags = owner.tags;
};

TEST_CASE("pool: entries are taken and given back") {
    Bench bench;
    Pool& tags = bench.tags;
    CHECK(tags.capacity() == 4);
    CHECK(tags.available(0_ps) == 4);
    tags.take(3, 10_ps);
    CHECK(tags.available(10_ps) == 1);
    tags.give(2, 20_ps);
    CHECK(tags.available(20_ps) == 3);
    CHECK(tags.taken() == 3);
    CHECK(tags.occupancy().high_water() == 3);
    CHECK(tags.shown() == 1);
}

TEST_CASE("pool: a booked departure counts from its picosecond on") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(4, 10_ps);
    tags.give_at(1, 50_ps);
    CHECK(tags.available(49_ps) == 0);
    CHECK(tags.available(50_ps) == 1);
    tags.take(1, 50_ps);  // the same picosecond: the slot changes hands
    CHECK(tags.available(50_ps) == 0);
    CHECK(tags.occupancy().high_water() == 4);
}

TEST_CASE("pool: tells when enough will be free by what is booked") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(4, 10_ps);
    CHECK(tags.when_available(1, 10_ps) == std::nullopt);
    tags.give_at(1, 50_ps);
    tags.give_at(2, 70_ps);
    CHECK(tags.when_available(0, 10_ps) == 10_ps);
    CHECK(tags.when_available(1, 10_ps) == 50_ps);
    CHECK(tags.when_available(2, 10_ps) == 70_ps);
    CHECK(tags.when_available(3, 10_ps) == 70_ps);
    CHECK(tags.when_available(4, 10_ps) == std::nullopt);
    CHECK(tags.when_available(5, 10_ps) == std::nullopt);  // more than there are
    CHECK(tags.when_available(1, 60_ps) == 60_ps);         // there already
}

TEST_CASE("pool: nobody is served before an entry that was taken ahead") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(4, 0_ps);
    tags.give_at(4, 100_ps);
    REQUIRE(tags.when_available(1, 0_ps) == 100_ps);
    tags.take(1, 100_ps);  // waits for it, known at 0 ps

    CHECK(tags.when_available(1, 1_ps) == 100_ps);  // the other three are in use until then
    CHECK(tags.when_available(3, 150_ps) == 150_ps);
}

TEST_CASE("pool: departures booked out of order take effect in the order of their times") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(4, 0_ps);
    tags.give_at(1, 80_ps);
    tags.give_at(1, 40_ps);
    tags.give_at(1, 60_ps);
    tags.give_at(1, 20_ps);
    CHECK(tags.available(20_ps) == 1);
    CHECK(tags.available(40_ps) == 2);
    CHECK(tags.available(60_ps) == 3);
    CHECK(tags.available(80_ps) == 4);
    CHECK(tags.occupancy().integral() == 20 + 40 + 60 + 80);
    CHECK(tags.residence() == 20 + 40 + 60 + 80);
}

TEST_CASE("pool: looking late or often makes no difference") {
    RunControl control;
    Timeline timeline("timeline", control);
    Owner late("late", timeline);
    Owner often("often", timeline);
    for (Pool* tags : {&late.tags, &often.tags}) {
        tags->take(3, 10_ps);
        tags->give_at(1, 30_ps);
        tags->give_at(2, 70_ps);
    }
    for (int at = 10; at < 100; ++at) {
        often.tags.settle(Picoseconds{at});
    }
    late.tags.settle(100_ps);
    often.tags.settle(100_ps);

    // 3 for 20 ps, 2 for 40 ps.
    CHECK(late.tags.occupancy().integral() == 140);
    CHECK(often.tags.occupancy().integral() == 140);
    CHECK(late.tags.residence() == 140);
    CHECK(often.tags.residence() == 140);
    CHECK(late.tags.occupancy().observed() == 100_ps);
    CHECK(often.tags.occupancy().observed() == 100_ps);
}

TEST_CASE("pool: entries still held count up to the last look") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(2, 10_ps);
    tags.settle(35_ps);
    CHECK(tags.residence() == 50);
    CHECK(tags.occupancy().integral() == 50);
}

TEST_CASE("pool: the integral of the occupancy is the sum of the residence times, to the picosecond") {
    Bench bench;
    Pool& tags = bench.tags;
    std::mt19937_64 random(7);  // NOLINT(cert-msc51-cpp): the same on every run
    std::vector<std::pair<Picoseconds, Picoseconds>> stays;
    Picoseconds at{};
    for (int i = 0; i < 10'000; ++i) {
        at += Picoseconds{static_cast<std::int64_t>(random() % 100)};
        if (tags.available(at) > 0) {
            const Picoseconds leaves = at + Picoseconds{static_cast<std::int64_t>(random() % 500)};
            tags.take(1, at);
            tags.give_at(1, leaves);
            stays.emplace_back(at, leaves);
        }
    }
    tags.settle(at);
    WideTime total = 0;
    for (const auto& [arrived, left] : stays) {
        total += (std::min(left, at) - arrived).count();
    }
    CHECK(stays.size() > 1000);
    CHECK(tags.taken() == stays.size());
    CHECK(tags.residence() == total);
    CHECK(tags.occupancy().integral() == total);
}

TEST_CASE("pool: a restart counts those who are still there from then on") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(3, 0_ps);
    tags.give_at(2, 700_ps);
    tags.restart(500_ps);
    CHECK(tags.taken() == 0);
    CHECK(tags.residence() == 0);
    CHECK(tags.occupancy().high_water() == 3);
    tags.take(1, 600_ps);
    tags.settle(1500_ps);

    // From 500 ps: two for 200 ps, one for 1000 ps, the new one for 900 ps.
    CHECK(tags.taken() == 1);
    CHECK(tags.residence() == 2 * 200 + 1000 + 900);
    CHECK(static_cast<std::uint64_t>(tags.occupancy().integral()) == tags.residence());
    CHECK(tags.occupancy().observed() == 1000_ps);
}

TEST_CASE("pool: more than there are cannot be taken, and the attempt takes none") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(3, 10_ps);
    CHECK_THROWS_AS(tags.take(2, 20_ps), InvariantError);
    CHECK_THROWS_WITH(tags.take(2, 20_ps), "owner at 20 ps: tags: 2 wanted, 1 there");
    CHECK(tags.available(20_ps) == 1);
    CHECK(tags.taken() == 3);
}

TEST_CASE("pool: more cannot be given back than was taken") {
    Bench bench;
    Pool& tags = bench.tags;
    tags.take(1, 10_ps);
    CHECK_THROWS_WITH(tags.give(2, 20_ps), "owner at 20 ps: tags: more given back than taken");
    tags.give_at(2, 30_ps);
    CHECK_THROWS_AS(tags.settle(40_ps), InvariantError);
}

TEST_CASE("pool: shows every level once, at its time") {
    struct Sink final : WaveSink {
        void change(std::uint32_t, Picoseconds at, std::uint64_t value) override { seen.emplace_back(at, value); }
        std::vector<std::pair<Picoseconds, std::uint64_t>> seen;
    };
    Bench bench;
    Sink sink;
    bench.tags.attach(sink, 0);
    bench.tags.take(2, 10_ps);
    bench.tags.give_at(1, 50_ps);
    bench.tags.give_at(1, 30_ps);
    bench.tags.take(1, 40_ps);  // 1 left at 30 ps, so 2 again
    bench.tags.settle(90_ps);

    CHECK(sink.seen ==
          std::vector<std::pair<Picoseconds, std::uint64_t>>{{10_ps, 2}, {30_ps, 1}, {40_ps, 2}, {50_ps, 1}});
}

}  // namespace ndsim::test::pool_test

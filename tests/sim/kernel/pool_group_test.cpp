// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/pool_group.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/invariant_error.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/picoseconds.hpp"

namespace ndsim::test::pool_group_test {

class Owner : public Unit {
public:
    Owner(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}

    static constexpr PoolFacts kTags{"tags", "tags in use", PoolUnit::tags};
    static constexpr PoolFacts kPayload{"payload", "reads for payload", PoolUnit::reads};
    static constexpr PoolFacts kWqes{"wqes", "reads for WQEs", PoolUnit::reads};
    Pool tags{*this, kTags, 8};
    std::array<Pool, 2> parts{Pool{*this, kPayload, 6}, Pool{*this, kWqes, 6}};
};

struct Bench {
    RunControl control;
    Timeline timeline{"timeline", control};
    Owner owner{"owner", timeline};
    Pool& tags = owner.tags;
    Pool& payload = owner.parts[0];
    Pool& wqes = owner.parts[1];
    PoolGroup group{{&tags}, owner.parts};

    void give_at(std::size_t part, std::vector<Picoseconds> times) { group.give_at(part, times); }
};

TEST_CASE("pool group: an entry is one of the whole and one of its part") {
    Bench bench;
    bench.group.take(0, 3, 10_ps);
    bench.group.take(1, 2, 20_ps);
    CHECK(bench.tags.available(20_ps) == 8 - 3 - 2);
    CHECK(bench.payload.available(20_ps) == 6 - 3);
    CHECK(bench.wqes.available(20_ps) == 6 - 2);
}

TEST_CASE("pool group: whichever pool is looked at, returns count in all from their picosecond on") {
    Bench bench;
    bench.group.take(0, 3, 10_ps);
    bench.group.take(1, 1, 10_ps);
    bench.give_at(0, {30_ps, 40_ps, 60_ps});
    bench.give_at(1, {35_ps});  // between two of the other part
    CHECK(bench.group.next_return(10_ps) == 30_ps);
    CHECK(bench.payload.available(29_ps) == 6 - 3);
    CHECK(bench.payload.available(40_ps) == 6 - 1);
    CHECK(bench.group.next_return(40_ps) == 60_ps);
    CHECK(bench.wqes.available(40_ps) == 6);
    CHECK(bench.tags.available(60_ps) == 8);
    CHECK(bench.group.next_return(60_ps) == std::nullopt);

    // Of the whole: 4 for 20 ps, 3 for 5 ps, 2 for 5 ps, 1 for 20 ps.
    CHECK(bench.tags.occupancy().integral() == 80 + 15 + 10 + 20);
    CHECK(bench.tags.residence() == 125);
    CHECK(bench.tags.occupancy().high_water() == 4);
    // Of the parts: 3 for 20 ps, 2 for 10 ps, 1 for 20 ps; and 1 for 25 ps.
    CHECK(bench.payload.occupancy().integral() == 60 + 20 + 20);
    bench.wqes.settle(60_ps);
    CHECK(bench.wqes.occupancy().integral() == 25);
}

TEST_CASE("pool group: more than there are cannot be taken, nor given back") {
    Bench bench;
    CHECK_THROWS_WITH(bench.group.take(0, 7, 10_ps), "owner at 10 ps: payload: 7 wanted, 6 there");
}

TEST_CASE("pool group: more cannot be given back than was taken") {
    Bench bench;
    bench.group.take(0, 1, 10_ps);
    bench.give_at(0, {20_ps, 30_ps});
    CHECK_THROWS_WITH(bench.tags.settle(40_ps), "owner at 30 ps: payload: more given back than taken");
}

TEST_CASE("pool group: pools are what they are without a group, to the picosecond") {
    RunControl control;
    Timeline timeline("timeline", control);
    Owner grouped("grouped", timeline);
    Owner single("single", timeline);
    PoolGroup group({&grouped.tags}, grouped.parts);
    std::mt19937_64 random(11);  // NOLINT(cert-msc51-cpp): the same on every run
    Picoseconds at{};
    int takes = 0;
    for (int i = 0; i < 20'000; ++i) {
        at += Picoseconds{static_cast<std::int64_t>(random() % 60)};
        const std::size_t part = random() % 2;
        const std::size_t count = 1 + random() % 3;
        const std::uint64_t free = std::min(single.tags.available(at), single.parts[part].available(at));
        REQUIRE(free == std::min(grouped.tags.available(at), grouped.parts[part].available(at)));
        if (free < count) {
            continue;
        }
        ++takes;
        std::vector<Picoseconds> times;
        for (std::size_t entry = 0; entry < count; ++entry) {
            times.push_back(at + Picoseconds{static_cast<std::int64_t>(random() % 300)});
        }
        std::ranges::sort(times);
        group.take(part, count, at);
        group.give_at(part, times);
        for (Pool* const pool : {&single.tags, &single.parts[part]}) {
            pool->take(count, at);
            for (const Picoseconds time : times) {
                pool->give_at(1, time);
            }
        }
    }
    CHECK(takes > 5'000);
    for (const auto& [one, other] : {std::pair{&single.tags, &grouped.tags},
                                     {&single.parts[0], &grouped.parts[0]},
                                     {&single.parts[1], &grouped.parts[1]}}) {
        one->settle(at);
        other->settle(at);
        CHECK(one->residence() == other->residence());
        CHECK(static_cast<std::uint64_t>(other->occupancy().integral()) == other->residence());
        CHECK(one->occupancy().full_ppm() == other->occupancy().full_ppm());
        CHECK(one->occupancy().percentile(500'000) == other->occupancy().percentile(500'000));
        CHECK(one->occupancy().level() == other->occupancy().level());
    }
}

TEST_CASE("pool group: shows every level once, at its time") {
    struct Sink final : WaveSink {
        void change(std::uint32_t, Picoseconds at, std::uint64_t value) override { seen.emplace_back(at, value); }
        std::vector<std::pair<Picoseconds, std::uint64_t>> seen;
    };
    Bench bench;
    Sink sink;
    bench.payload.attach(sink, 0);
    bench.group.take(0, 3, 10_ps);
    bench.give_at(0, {30_ps, 40_ps, 60_ps});
    bench.tags.settle(50_ps);

    CHECK(sink.seen == std::vector<std::pair<Picoseconds, std::uint64_t>>{{10_ps, 3}, {30_ps, 2}, {40_ps, 1}});
}

TEST_CASE("pool group: a sink that settles the pools while it is told gets the same") {
    struct Sink final : WaveSink {
        explicit Sink(Bench& of) : bench(of) {}
        void change(std::uint32_t signal, Picoseconds at, std::uint64_t value) override {
            seen.emplace_back(signal, at, value);
            bench.tags.settle(60_ps);
            bench.payload.settle(60_ps);
        }
        Bench& bench;
        std::vector<std::tuple<std::uint32_t, Picoseconds, std::uint64_t>> seen;
    };
    Bench bench;
    bench.group.take(0, 2, 10_ps);
    bench.give_at(0, {30_ps, 40_ps});
    Sink sink(bench);
    bench.tags.attach(sink, 0);
    bench.payload.attach(sink, 1);
    bench.tags.settle(60_ps);

    std::ranges::stable_sort(sink.seen, {}, [](const auto& each) { return std::get<0>(each); });
    CHECK(sink.seen == std::vector<std::tuple<std::uint32_t, Picoseconds, std::uint64_t>>{
                           {0, 30_ps, 1}, {0, 40_ps, 0}, {1, 30_ps, 1}, {1, 40_ps, 0}});
}

}  // namespace ndsim::test::pool_group_test

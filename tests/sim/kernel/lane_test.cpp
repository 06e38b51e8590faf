// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/lane.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "sim/base/invariant_error.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::lane_test {

using namespace std::chrono_literals;

class Stage : public Unit {
public:
    Stage(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline), lane(*this, timeline, 1) {}

    void leave(int& item) {
        seen.emplace_back(item, now());
        if (item < 0) {  // feeds itself, at the same picosecond
            lane.push(now(), item + 1);
        }
    }

    Lane<int, &Stage::leave> lane;
    std::vector<std::pair<int, Picoseconds>> seen;
};

TEST_CASE("lane: items leave in order, each at its time") {
    RunControl control;
    Timeline timeline("timeline", control);
    Stage stage("stage", timeline);
    CHECK(stage.lane.empty());
    for (int i = 0; i < 20; ++i) {  // more than its first array holds
        stage.lane.push(100ns + i * 1ns, i);
    }
    stage.lane.push(119ns, 20);  // at the same time as its predecessor
    CHECK_FALSE(stage.lane.empty());

    sc_core::sc_start();

    REQUIRE(stage.seen.size() == 21);
    for (int i = 0; i < 20; ++i) {
        CHECK(stage.seen[static_cast<std::size_t>(i)] == std::pair<int, Picoseconds>{i, 100ns + i * 1ns});
    }
    CHECK(stage.seen.back() == std::pair<int, Picoseconds>{20, 119ns});
    CHECK(stage.lane.empty());
}

TEST_CASE("lane: a handler may push to its own empty lane, even for now") {
    RunControl control;
    Timeline timeline("timeline", control);
    Stage stage("stage", timeline);
    stage.lane.push(5ns, -2);

    sc_core::sc_start();

    CHECK(stage.seen == std::vector<std::pair<int, Picoseconds>>{{-2, 5ns}, {-1, 5ns}, {0, 5ns}});
}

TEST_CASE("lane: an item that would overtake another is refused and changes nothing") {
    RunControl control;
    Timeline timeline("timeline", control);
    Stage stage("stage", timeline);
    stage.lane.push(100ns, 1);

    CHECK_THROWS_AS(stage.lane.push(99ns, 2), InvariantError);
    CHECK_THROWS_WITH(stage.lane.push(99ns, 2),
                      "stage at 0 ps: an item due at 99000 ps would overtake one in its lane");
    stage.lane.push(100ns, 3);
    sc_core::sc_start();

    CHECK(stage.seen == std::vector<std::pair<int, Picoseconds>>{{1, 100ns}, {3, 100ns}});
}

TEST_CASE("lane: items may be of a type that only moves") {
    class Mover : public Unit {
    public:
        Mover(const sc_core::sc_module_name& name, Timeline& timeline)
            : Unit(name, timeline), lane(*this, timeline, 1) {}
        void take(std::unique_ptr<int>& item) { sum += *item; }

        Lane<std::unique_ptr<int>, &Mover::take> lane;
        int sum = 0;
    };
    RunControl control;
    Timeline timeline("timeline", control);
    Mover mover("mover", timeline);
    mover.lane.push(1ns, std::make_unique<int>(3));
    mover.lane.push(2ns, std::make_unique<int>(4));

    sc_core::sc_start();

    CHECK(mover.sum == 7);
}

}  // namespace ndsim::test::lane_test

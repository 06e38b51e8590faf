// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/engine_times.hpp"

#include <array>

#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::engine_times_test {

using namespace std::chrono_literals;

constexpr std::array kStates{EngineState{EngineState::kIdle, "", "quiet"},
                             EngineState{EngineState::kBusy, "time spent on the first kind of work", "first"},
                             EngineState{EngineState::kBusy, "time spent on the second kind", "second"},
                             EngineState{"tags", "time without a tag", "held"},
                             EngineState{"credits", "time without a credit", "held"}};

struct Engine : Unit {
    Engine() : Unit("unit", timeline_of()) {}
    EngineTimes times{*this, "reads", kStates};

private:
    static Timeline& timeline_of() {
        static RunControl control;
        static Timeline timeline("timeline", control);
        return timeline;
    }
};

TEST_CASE("engine times: states that are the same to the outside count together, and parts apart") {
    Engine engine;
    engine.times.enter(1, 10ns);
    engine.times.enter(2, 30ns);
    engine.times.enter(3, 35ns);
    engine.times.enter(4, 65ns);
    engine.times.enter(0, 70ns);
    engine.times.settle(100ns);
    CHECK(engine.times.spent_on(EngineState::kIdle) == 40ns);
    CHECK(engine.times.spent_on(EngineState::kBusy) == 25ns);
    CHECK(engine.times.spent_on("tags") == 30ns);
    CHECK(engine.times.spent_on("credits") == 5ns);
    CHECK(engine.times.spent_in_part("first") == 20ns);
    CHECK(engine.times.spent_in_part("second") == 5ns);
    CHECK(engine.times.spent_in_part("held") == 35ns);
    CHECK(engine.times.spent_in_part("quiet") == 40ns);
}

TEST_CASE("engine times: a unit lists its engines, which are settled and begun anew like its other times") {
    Engine engine;
    REQUIRE(engine.engines().size() == 1);
    CHECK(engine.engines()[0] == &engine.times);
    CHECK(engine.times.name() == "reads");
    REQUIRE(engine.state_times().size() == 1);
    CHECK(engine.state_times()[0] == &engine.times);
    CHECK(engine.times.names().empty());  // it is not reported as they are
}

}  // namespace ndsim::test::engine_times_test

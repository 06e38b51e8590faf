// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/alarm.hpp"

#include <functional>
#include <vector>

#include "sim/kernel/agenda.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::alarm_test {

using namespace std::chrono_literals;

class Clock : public Unit {
public:
    Clock(const sc_core::sc_module_name& name, Timeline& timeline)
        : Unit(name, timeline), alarm(*this, timeline, 2), script(*this, timeline, 1) {}

    void ring() {
        rung.push_back(now());
        if (again) {
            again = false;
            alarm.set(now() + 5ns);
        }
    }
    void act(std::function<void()>& action) { action(); }

    Alarm<&Clock::ring> alarm;
    Agenda<std::function<void()>, &Clock::act> script;
    std::vector<Picoseconds> rung;
    bool again = false;
};

using Times = std::vector<Picoseconds>;

TEST_CASE("alarm: rings once, at the time that was set last") {
    RunControl control;
    Timeline timeline("timeline", control);
    Clock clock("clock", timeline);
    clock.alarm.set(30ns);
    clock.script.push(10ns, [&] { clock.alarm.set(20ns); });  // earlier
    clock.script.push(15ns, [&] { clock.alarm.set(40ns); });  // later
    sc_core::sc_start();
    CHECK(clock.rung == Times{40ns});
    CHECK_FALSE(clock.alarm.due().has_value());
}

TEST_CASE("alarm: one that is dropped leaves nothing behind, not even the end of the run") {
    RunControl control;
    Timeline timeline("timeline", control);
    Clock clock("clock", timeline);
    clock.script.push(10ns, [&] { clock.alarm.set(1000ns); });
    clock.script.push(20ns, [&] { clock.alarm.drop(); });
    sc_core::sc_start();
    CHECK(clock.rung.empty());
    CHECK(timeline.now() == 20ns);
}

TEST_CASE("alarm: may be set again while it rings") {
    RunControl control;
    Timeline timeline("timeline", control);
    Clock clock("clock", timeline);
    clock.again = true;
    clock.alarm.set(10ns);
    CHECK(clock.alarm.due() == 10ns);
    sc_core::sc_start();
    CHECK(clock.rung == Times{10ns, 15ns});
}

}  // namespace ndsim::test::alarm_test

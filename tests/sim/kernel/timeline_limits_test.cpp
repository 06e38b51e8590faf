// SPDX-License-Identifier: Apache-2.0

#include "tests/sim/kernel/worker.hpp"
#include "tests/support/catch.hpp"

// How a run ends: limits, the caller, or nothing left to do.

namespace ndsim::test::timeline_limits_test {

using namespace std::chrono_literals;

int warnings() {
    return sc_core::sc_report_handler::get_count(sc_core::SC_WARNING);
}

TEST_CASE("timeline: ends at the time limit, work at the limit included") {
    RunControl control;
    control.limit_time(50ns);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 9);

    sc_core::sc_start();

    CHECK(log.size() == 5);
    CHECK(log.back().second == 50ns);
    CHECK(control.stopped());
    CHECK(control.end() == RunEnd::time_limit);
    CHECK(timeline.now() == 50ns);
}

TEST_CASE("timeline: it is the limit's time when work behind the limit is not done") {
    RunControl control;
    control.limit_time(55ns);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 0);
    worker.lane.push(10s, 0);

    sc_core::sc_start();

    CHECK(log == Log{{"worker", 10ns}});
    CHECK(timeline.now() == 55ns);
}

TEST_CASE("timeline: two timelines that meet the limit together stop the kernel once") {
    RunControl control;
    control.limit_time(50ns);
    Timeline timeline_a("timeline_a", control);
    Timeline timeline_b("timeline_b", control);
    Log log;
    Worker a("a", timeline_a, 1, log);
    Worker b("b", timeline_b, 1, log);
    a.lane.push(60ns, 0);
    b.lane.push(60ns, 0);

    sc_core::sc_start();

    CHECK(log.empty());
    CHECK(control.end() == RunEnd::time_limit);
    CHECK(warnings() == 0);
}

TEST_CASE("timeline: ends at the limit of items, exactly") {
    RunControl control;
    control.limit_items(10);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 99);

    sc_core::sc_start();

    CHECK(log.size() == 10);
    CHECK(control.items() == 10);
    CHECK(control.end() == RunEnd::item_limit);
}

TEST_CASE("timeline: a limit of items beyond the first look at the wall clock is exact, too") {
    RunControl control;
    control.limit_items(RunControl::kCheckEvery + 5);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 3 * static_cast<int>(RunControl::kCheckEvery));

    sc_core::sc_start();

    CHECK(log.size() == RunControl::kCheckEvery + 5);
}

TEST_CASE("timeline: a run that does all its work ends for want of it") {
    RunControl control;
    control.limit_items(3);
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    worker.lane.push(10ns, 2);  // three items

    sc_core::sc_start();

    CHECK(log.size() == 3);
    CHECK_FALSE(control.stopped());
    CHECK(control.end() == RunEnd::nothing_left);
}

TEST_CASE("timeline: the caller looks in every few thousand items and may stop the run") {
    RunControl control;
    Timeline timeline("timeline", control);
    Log log;
    Worker worker("worker", timeline, 1, log);
    std::vector<Picoseconds> looks;
    control.on_check([&](Picoseconds at) {
        looks.push_back(at);
        if (looks.size() == 2) {
            control.stop(RunEnd::interrupted);
            control.stop(RunEnd::finished);  // the first reason stays
        }
    });
    worker.lane.push(10ns, 1'000'000);

    sc_core::sc_start();

    // Before item 4096 and item 8192, counted from 0; item n is due at (n + 1) * 10 ns.
    CHECK(looks == std::vector<Picoseconds>{40'970ns, 81'930ns});
    CHECK(log.size() == 8192);
    CHECK(control.end() == RunEnd::interrupted);
}

}  // namespace ndsim::test::timeline_limits_test

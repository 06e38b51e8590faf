// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/agenda.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::agenda_test {

using namespace std::chrono_literals;

using Seen = std::vector<std::pair<int, Picoseconds>>;

class Desk : public Unit {
public:
    Desk(const sc_core::sc_module_name& name, Timeline& timeline)
        : Unit(name, timeline), agenda(*this, timeline, 1), lane(*this, timeline, 2) {}

    void serve(int& item) {
        seen.emplace_back(item, now());
        if (item == 1000) {  // earlier than all that wait, and for now
            agenda.push(now() + 1ns, 1001);
            agenda.push(now(), 1002);
        }
    }

    Agenda<int, &Desk::serve> agenda;
    Lane<int, &Desk::serve> lane;
    Seen seen;
};

TEST_CASE("agenda: items come in the order of their times, not of their arrival") {
    RunControl control;
    Timeline timeline("timeline", control);
    Desk desk("desk", timeline);
    CHECK(desk.agenda.empty());
    desk.agenda.push(30ns, 3);
    desk.agenda.push(10ns, 1);
    desk.agenda.push(40ns, 4);
    desk.agenda.push(20ns, 2);
    CHECK(desk.agenda.size() == 4);

    sc_core::sc_start();

    CHECK(desk.seen == Seen{{1, 10ns}, {2, 20ns}, {3, 30ns}, {4, 40ns}});
    CHECK(desk.agenda.empty());
}

TEST_CASE("agenda: items that are dropped never come, and the others keep their times") {
    RunControl control;
    Timeline timeline("timeline", control);
    Desk desk("desk", timeline);
    const auto is_odd = [](int item) { return item % 2 != 0; };
    desk.agenda.drop_if(is_odd);  // of none
    for (const int item : {3, 1, 4, 2}) {
        desk.agenda.push(item * 10ns, item);
    }
    desk.agenda.drop_if(is_odd);
    CHECK(desk.agenda.size() == 2);
    CHECK(desk.agenda.next_due() == 20ns);

    sc_core::sc_start();

    CHECK(desk.seen == Seen{{2, 20ns}, {4, 40ns}});
}

TEST_CASE("agenda: when all items are dropped, nothing comes") {
    RunControl control;
    Timeline timeline("timeline", control);
    Desk desk("desk", timeline);
    desk.agenda.push(10ns, 1);
    desk.agenda.drop_if([](int) { return true; });
    CHECK(desk.agenda.empty());

    sc_core::sc_start();

    CHECK(desk.seen.empty());
}

TEST_CASE("agenda: items of the same time keep the order of their arrival") {
    RunControl control;
    Timeline timeline("timeline", control);
    Desk desk("desk", timeline);
    Seen expected;
    for (int i = 0; i < 100; ++i) {
        desk.agenda.push(i % 2 == 0 ? 20ns : 10ns, i);
    }
    for (int i = 1; i < 100; i += 2) {
        expected.emplace_back(i, 10ns);
    }
    for (int i = 0; i < 100; i += 2) {
        expected.emplace_back(i, 20ns);
    }

    sc_core::sc_start();

    CHECK(desk.seen == expected);
}

TEST_CASE("agenda: random times come in their order, and in the order of arrival if they are the same") {
    RunControl control;
    Timeline timeline("timeline", control);
    Desk desk("desk", timeline);
    Rng random{1, "times"};
    Seen expected;
    for (int i = 0; i < 1000; ++i) {
        const Picoseconds due{static_cast<std::int64_t>(random.between(1, 200))};
        desk.agenda.push(due, i);
        expected.emplace_back(i, due);
    }
    std::ranges::stable_sort(expected, {}, &Seen::value_type::second);

    sc_core::sc_start();

    CHECK(desk.seen == expected);
}

TEST_CASE("agenda: a handler may push ahead of what waits") {
    RunControl control;
    Timeline timeline("timeline", control);
    Desk desk("desk", timeline);
    desk.agenda.push(5ns, 1000);
    desk.agenda.push(50ns, 7);

    sc_core::sc_start();

    CHECK(desk.seen == Seen{{1000, 5ns}, {1002, 5ns}, {1001, 6ns}, {7, 50ns}});
}

TEST_CASE("agenda: shares the timeline with lanes by rank") {
    RunControl control;
    Timeline timeline("timeline", control);
    Desk desk("desk", timeline);
    desk.lane.push(10ns, 2);
    desk.lane.push(15ns, 3);
    desk.agenda.push(10ns, 1);
    desk.agenda.push(20ns, 4);

    sc_core::sc_start();

    CHECK(desk.seen == Seen{{1, 10ns}, {2, 10ns}, {3, 15ns}, {4, 20ns}});
    CHECK(timeline.activations() == 1);
}

}  // namespace ndsim::test::agenda_test

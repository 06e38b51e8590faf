// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/deadlines.hpp"

#include <vector>

#include "tests/sim/kernel/software.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::deadlines_test {

using test::Software;
using namespace std::chrono_literals;

using Seen = std::vector<std::pair<int, Picoseconds>>;

TEST_CASE("deadlines: those that are not cancelled come in the order of their times") {
    RunControl control;
    Timeline timeline("timeline", control);
    Deadlines deadlines(timeline, 1);
    Seen seen;
    const auto note = [&](int which) { return [&, which] { seen.emplace_back(which, timeline.now()); }; };
    deadlines.set(30ns, note(3));
    deadlines.set(10ns, note(1));
    const Deadlines::Id second = deadlines.set(20ns, note(2));
    deadlines.set(30ns, note(4));
    deadlines.cancel(second);
    deadlines.cancel(second);  // which changes nothing

    sc_core::sc_start();

    CHECK(seen == Seen{{1, 10ns}, {3, 30ns}, {4, 30ns}});
    CHECK(deadlines.empty());
}

TEST_CASE("deadlines: one that is done may set and cancel others") {
    RunControl control;
    Timeline timeline("timeline", control);
    Deadlines deadlines(timeline, 1);
    Seen seen;
    const Deadlines::Id late = deadlines.set(50ns, [&] { seen.emplace_back(50, timeline.now()); });
    deadlines.set(10ns, [&] {
        deadlines.cancel(late);
        deadlines.set(20ns, [&] { seen.emplace_back(20, timeline.now()); });
    });

    sc_core::sc_start();

    CHECK(seen == Seen{{20, 20ns}});
}

TEST_CASE("deadlines: a simulation does not go on to one that software cancelled") {
    RunControl control;
    Timeline timeline("timeline", control);
    Deadlines deadlines(timeline, 1);
    bool happened = false;
    const Software software("software", [&] {
        const Deadlines::Id id = deadlines.set(1s, [&] { happened = true; });
        sc_core::wait(to_sc(5ns));
        deadlines.cancel(id);
    });

    sc_core::sc_start();

    CHECK_FALSE(happened);
    CHECK(timeline.now() == 5ns);  // when it was cancelled, and not a second later
}

TEST_CASE("deadlines: a later one is still due after the first was cancelled") {
    RunControl control;
    Timeline timeline("timeline", control);
    Deadlines deadlines(timeline, 1);
    Seen seen;
    const Software software("software", [&] {
        const Deadlines::Id first = deadlines.set(20ns, [&] { seen.emplace_back(1, timeline.now()); });
        deadlines.set(40ns, [&] { seen.emplace_back(2, timeline.now()); });
        sc_core::wait(to_sc(10ns));
        deadlines.cancel(first);
    });

    sc_core::sc_start();

    CHECK(seen == Seen{{2, 40ns}});
}

}  // namespace ndsim::test::deadlines_test

// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/state_times.hpp"

#include <array>

#include "sim/kernel/state_clock.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::state_times_test {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 2> kNames{"free", "busy"};
constexpr std::array<std::string_view, 2> kSentences{"", "time at work"};

// Nothing runs, so every change lies ahead.
struct Server : Unit {
    Server() : Unit("server", timeline_of()) {}
    StateTimes times{*this, kNames, kSentences};

private:
    static Timeline& timeline_of() {
        static RunControl control;
        static Timeline timeline("timeline", control);
        return timeline;
    }
};

TEST_CASE("state times: what lies ahead counts when its time has come") {
    Server server;
    server.times.busy({10ns, 30ns});
    server.times.settle(20ns);
    CHECK(server.times.spent(1) == 10ns);
    CHECK(server.times.spent(0) == 10ns);
    server.times.settle(40ns);
    CHECK(server.times.spent(1) == 20ns);
    CHECK(server.times.spent(0) == 20ns);
}

TEST_CASE("state times: a restart in the middle of a state keeps the rest of it") {
    Server server;
    server.times.busy({10ns, 30ns});
    server.times.busy({30ns, 50ns});
    server.times.restart(25ns);
    server.times.settle(60ns);
    CHECK(server.times.spent(1) == 25ns);  // 25 to 50
    CHECK(server.times.spent(0) == 10ns);
}

TEST_CASE("state times: of a change that is told late, what was settled stays") {
    Server server;
    server.times.settle(20ns);
    server.times.enter(1, 15ns);
    server.times.settle(30ns);
    CHECK(server.times.spent(0) == 20ns);
    CHECK(server.times.spent(1) == 10ns);
}

TEST_CASE("state times: what is told of a time replaces what was told of later ones") {
    Server server;
    server.times.busy({10ns, 50ns});
    server.times.enter(0, 30ns);  // it ends earlier
    server.times.enter(1, 60ns);
    server.times.enter(0, 60ns);  // and it does not begin again
    server.times.settle(100ns);
    CHECK(server.times.spent(1) == 20ns);
    CHECK(server.times.spent(0) == 80ns);
}

TEST_CASE("state times: a unit lists them, with the names that they are reported by") {
    Server server;
    REQUIRE(server.state_times().size() == 1);
    CHECK(server.state_times()[0] == &server.times);
    CHECK(server.times.names()[1] == "busy");
    CHECK(server.times.sentences()[0].empty());
}

}  // namespace ndsim::test::state_times_test

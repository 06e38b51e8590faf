// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Lanes that pause frames hold for long.

namespace ndsim::test::pauses_test {

// Five switches in a ring, each with a host that sends to the next but one. Packets for the next switch wait for room
// there, which packets for the one behind it take.
std::string ring() {
    constexpr int kSwitches = 5;
    std::string hosts;
    std::string switches;
    std::string links;
    std::string traffic;
    for (int i = 0; i < kSwitches; ++i) {
        const char* const comma = i == 0 ? "" : ", ";
        hosts += fmt::format(R"({}"H{}": {{}})", comma, i);
        switches += fmt::format(R"({}"s{}": {{"pause": true, "buffer": "150 KiB"}})", comma, i);
        links += fmt::format(R"({}"h{}": {{"between": ["H{}", "s{}"]}}, "x{}": {{"between": ["s{}", "s{}"]}})", comma,
                             i, i, i, i, i, (i + 1) % kSwitches);
        traffic += fmt::format(R"({}"t{}": {{"from": "H{}.a", "to": "H{}.b", "count": 1000, "window": 64}})", comma, i,
                               i, (i + 2) % kSwitches);
    }
    return fmt::format(R"({{"hosts": {{{}}}, "switches": {{{}}}, "links": {{{}}}, "traffic": {{{}}}}})", hosts,
                       switches, links, traffic);
}

// The sender's FIFO is full, so that nothing is sent again while B stalls. Its pauses are no answer: the connection
// ends after 4 times 262.144 us without one, 1.05 ms, long before B goes on.
TEST_CASE("pauses: a sender that is held gives up after its retries, though it can send nothing again", "[X15]") {
    const ChildResult run = run_text(
        R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "count": 1000, "window": 128}},
            "faults": [{"stall": "B", "from": "300 us", "until": "50 ms"}]})",
        {"nic.timeout_code=6", "nic.retry_count=3", "nic.pause=true"});
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.metric("A.nic.completer.timeouts") == 4);
    REQUIRE(run.dead_connections.size() == 1);
    CHECK(run.dead_connections[0].ends == "A.q0 to B.q0");
    CHECK(run.dead_connections[0].why ==
          "packets were lost, or not answered in time, until no retry was left (retry_exceeded)");
}

// Each sender gives up after 8 timeouts of 262.144 us; the packets stay where they are.
TEST_CASE("pauses: ports that wait for each other in a ring are a stall that names them", "[X15]") {
    const ChildResult run = run_text(ring(), {"nic.timeout_code=6", "nic.retry_count=7"});
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK(run.dead_connections.size() == 5);
    CHECK(run.metric("H0.nic.completer.timeouts") == 8);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring(
                            "pause frames hold the packets at H0.nic.tx, H1.nic.tx, H2.nic.tx, H3.nic.tx "
                            "and 6 more ports for ever"));
}

}  // namespace ndsim::test::pauses_test

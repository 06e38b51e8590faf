// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/post_times.hpp"

#include <catch2/catch.hpp>

namespace post_times_test {

using namespace ndsim;
using namespace ndsim::format;
using namespace std::chrono_literals;

TEST_CASE("post times: one in each line, comments and empty lines aside") {
    const auto times = read_post_times("# a trace\n0 ns\n\n 1.5 us\r\n1.5 us\n2 ms");
    REQUIRE(times.value);
    CHECK(*times.value == std::vector<Picoseconds>{0ns, 1500ns, 1500ns, 2ms});
    CHECK(read_post_times("").value->empty());
}

TEST_CASE("post times: what is wrong is said with its line") {
    CHECK(read_post_times("0 ns\n5\n").error == "2: expected a number and a unit, such as \"1 us\", got \"5\"");
    CHECK(read_post_times("5 us\n# back\n4 us\n").error == "3: 4 us is before the line above");
}

TEST_CASE("post times: a trace is looked for beside the scenario") {
    CHECK(trace_path("a/b/c.json", "t.csv") == "a/b/t.csv");
    CHECK(trace_path("c.json", "t.csv") == "t.csv");
    CHECK(trace_path("a/c.json", "/tmp/t.csv") == "/tmp/t.csv");
}

}  // namespace post_times_test

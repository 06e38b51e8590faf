// SPDX-License-Identifier: Apache-2.0
#include "sim/config/problems.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace ndsim::test::problems_test {

TEST_CASE("problems: a problem in words, without what is not known") {
    CHECK(Problem{"a.json", 3, 14, "nic.rate", "too fast", "slow down"}.text() ==
          "a.json:3:14: nic.rate: too fast (slow down)");
    CHECK(Problem{"a.json", 3, 14, "", "too fast", ""}.text() == "a.json:3:14: too fast");
    CHECK(Problem{"--set", 0, 0, "nic.rate", "too fast", ""}.text() == "--set: nic.rate: too fast");
    CHECK(Problem{"", 0, 0, "", "too fast", ""}.text() == "too fast");
}

TEST_CASE("problems: sorted by file, line and column, otherwise as they were added") {
    Problems problems("b.json");
    problems.add({10, 1}, "p", "late");
    problems.add({2, 30}, "p", "second");
    problems.add({2, 4}, "p", "first");
    problems.add({2, 30}, "p", "third");
    problems.in_file("a.json");
    problems.add({99, 1}, "", "other file");
    CHECK(problems.text() ==
          "a.json:99:1: other file\n"
          "b.json:2:4: p: first\n"
          "b.json:2:30: p: second\n"
          "b.json:2:30: p: third\n"
          "b.json:10:1: p: late");
}

TEST_CASE("problems: all of them are thrown at once, and none if there is none") {
    Problems problems("a.json");
    CHECK(problems.empty());
    CHECK_NOTHROW(problems.throw_if_any());
    problems.add({2, 1}, "", "two");
    problems.add({1, 1}, "", "one");
    CHECK_FALSE(problems.empty());
    try {
        problems.throw_if_any();
        FAIL("nothing was thrown");
    } catch (const ConfigError& error) {
        CHECK(std::string(error.what()) == "a.json:1:1: one\na.json:2:1: two");
        REQUIRE(error.problems().size() == 2);
        CHECK(error.problems()[0].message == "one");
        CHECK(error.problems()[1].line == 2);
    }
}

}  // namespace ndsim::test::problems_test

// SPDX-License-Identifier: Apache-2.0
#include "sim/base/nearest_name.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::nearest_name_test {

TEST_CASE("nearest name: edit distance counts insertions, removals, replacements and swaps") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("depth", "depth") == 0);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("dept", "depth") == 1);
    CHECK(edit_distance("depths", "depth") == 1);
    CHECK(edit_distance("dipth", "depth") == 1);
    CHECK(edit_distance("dpeth", "depth") == 1);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("ca", "abc") == 3);  // no part is edited twice
}

TEST_CASE("nearest name: it is what was probably meant") {
    constexpr std::array<std::string_view, 4> kNames{"depth", "decode", "overflow", "sq"};
    CHECK(nearest("dept", kNames) == "depth");
    CHECK(nearest("depth", kNames) == "depth");
    CHECK(nearest("OverFlow", kNames) == "overflow");
    CHECK(nearest("rq", kNames) == "sq");             // one edit is always near
    CHECK(nearest("ovrflwo", kNames) == "overflow");  // two of seven
    CHECK(nearest("dpteh", kNames) == std::nullopt);  // more than five thirds, rounded down
    CHECK(nearest("latency", kNames) == std::nullopt);
    CHECK(nearest("x", std::vector<std::string>{}) == std::nullopt);
    CHECK(nearest("b", std::vector<std::string>{"a", "c"}) == "a");  // the first of equals
}

}  // namespace ndsim::test::nearest_name_test

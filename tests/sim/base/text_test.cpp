// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace text_test {

using namespace ndsim;

TEST_CASE("text: edit distance counts insertions, removals, replacements and swaps") {
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

TEST_CASE("text: nearest is what was probably meant") {
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

TEST_CASE("text: join") {
    CHECK(join(std::vector<std::string>{}, ", ").empty());
    CHECK(join(std::vector<std::string>{"a"}, ", ") == "a");
    CHECK(join(std::vector<std::string_view>{"a", "", "c"}, ", ") == "a, , c");
}

TEST_CASE("text: quotes keep a message on one short line") {
    CHECK(in_quotes("64 B") == "\"64 B\"");
    CHECK(in_quotes("a\nb\x1B\x7F") == "\"a?b??\"");
    CHECK(in_quotes(std::string(60, 'x')) == "\"" + std::string(60, 'x') + "\"");
    CHECK(in_quotes(std::string(61, 'x')) == "\"" + std::string(60, 'x') + "...\"");
    // The two bytes of an umlaut stay together.
    CHECK(in_quotes(std::string(59, 'x') + "\u00E4!") == "\"" + std::string(59, 'x') + "...\"");
}

}  // namespace text_test

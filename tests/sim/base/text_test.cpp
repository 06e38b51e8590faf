// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::text_test {

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

}  // namespace ndsim::test::text_test

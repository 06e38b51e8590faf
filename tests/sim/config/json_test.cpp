// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "tests/support/catch.hpp"

namespace ndsim::test::json_test {

JsonNode read(std::string_view text) {
    Problems problems("f");
    auto node = parse_json(text, problems);
    INFO(problems.text());
    REQUIRE(problems.empty());
    REQUIRE(node);
    return *node;
}

// What is wrong with a text that is not JSON.
std::string refusal(std::string_view text) {
    Problems problems("f");
    REQUIRE_FALSE(parse_json(text, problems));
    REQUIRE(problems.sorted().size() == 1);
    return problems.text();
}

TEST_CASE("json: every value and key knows its line and column") {
    const JsonNode root = read(
        "// a comment\n"
        "{\n"
        "  \"rate\": \"100 Gbps\", /* two\n"
        "  lines */ \"depth\" : 64,\n"
        "  \"list\": [1, -2,3.5 ,true,null,[], {}]\n"
        "}\n");
    CHECK(root.is(JsonKind::object));
    CHECK(to_text(root.at) == "2:1");
    REQUIRE(root.members.size() == 3);
    CHECK(root.members[0].key == "rate");
    CHECK(to_text(root.members[0].at) == "3:3");
    CHECK(to_text(root.members[0].value.at) == "3:11");
    CHECK(root.members[0].value.text == "100 Gbps");
    CHECK(to_text(root.members[1].at) == "4:12");
    CHECK(to_text(root.members[1].value.at) == "4:22");
    const JsonNode* const list = root.find("list");
    REQUIRE(list != nullptr);
    REQUIRE(list->items.size() == 7);
    CHECK(to_text(list->items[0].at) == "5:12");
    CHECK(to_text(list->items[1].at) == "5:15");
    CHECK(to_text(list->items[2].at) == "5:18");
    CHECK(to_text(list->items[3].at) == "5:23");
    CHECK(to_text(list->items[6].at) == "5:37");
    CHECK(root.find("lists") == nullptr);
}

TEST_CASE("json: columns count characters, and a byte order mark is none") {
    const JsonNode root = read("\xEF\xBB\xBF{\"\u00E4\u20AC\U0001F600\": 1}");
    CHECK(to_text(root.at) == "1:1");
    CHECK(to_text(root.members.at(0).value.at) == "1:9");
}

TEST_CASE("json: a second byte order mark is refused") {
    CHECK(refusal("\xEF\xBB\xBF\xEF\xBB\xBF{}").starts_with("f:1:1: neither a value nor punctuation"));
    CHECK(refusal("\xEF\xBB{}").starts_with("f:1:1: invalid BOM"));
}

TEST_CASE("json: whole numbers keep all 64 bits, other numbers their text") {
    const JsonNode root = read(
        "[18446744073709551615, 18446744073709551616, -9223372036854775808, 9223372036854775807, -1, 0, -0, 1e3, "
        "2.50]");
    const auto& items = root.items;
    REQUIRE(items.size() == 9);
    CHECK(items[0].as_unsigned() == std::numeric_limits<std::uint64_t>::max());
    CHECK(items[1].is(JsonKind::real));
    CHECK(items[1].text == "18446744073709551616");
    CHECK(items[2].shown() == "-9223372036854775808");
    CHECK_FALSE(items[2].as_unsigned());
    CHECK(items[3].as_unsigned() == std::numeric_limits<std::int64_t>::max());
    CHECK(items[4].shown() == "-1");
    CHECK(items[5].as_unsigned() == 0U);
    CHECK(items[6].as_unsigned() == 0U);
    CHECK(items[7].is(JsonKind::real));
    CHECK(items[7].shown() == "1e3");
    CHECK(items[8].shown() == "2.50");
    CHECK_FALSE(items[8].as_unsigned());
}

TEST_CASE("json: values as messages name them") {
    const JsonNode root = read(R"([null, true, false, "a", [1], {"a": 1}])");
    std::string shown;
    for (const JsonNode& item : root.items) {
        shown += item.shown() + "; ";
    }
    CHECK(shown == "null; true; false; \"a\"; a list; an object; ");
}

TEST_CASE("json: all duplicate keys are reported, with both places") {
    Problems problems("f");
    const auto root = parse_json(
        "{\"a\": 1,\n"
        " \"b\": [{}, {\"x\": 1, \"y\": 2, \"x\": 3}],\n"
        " \"a\": {\"c\": 1, \"c\": 2},\n"
        " \"a\": 4}",
        problems);
    CHECK(root);
    CHECK(problems.text() ==
          "f:2:29: b[1]: duplicate key \"x\" (first at 2:13)\n"
          "f:3:2: duplicate key \"a\" (first at 1:2)\n"
          "f:3:16: a: duplicate key \"c\" (first at 3:8)\n"
          "f:4:2: duplicate key \"a\" (first at 1:2)");
}

TEST_CASE("json: an empty file is called empty") {
    CHECK(refusal("") == "f:1:1: the file is empty");
    CHECK(refusal("\xEF\xBB\xBF") == "f:1:1: the file is empty");
    CHECK(refusal(" \n // nothing here\n") == "f:1:1: the file is empty");
}

TEST_CASE("json: syntax errors are told in words, where they are") {
    CHECK(refusal("{\n  \"a\" 1\n}") == "f:2:7: unexpected number; expected ':'");
    CHECK(refusal("{\"a\": 1 \"b\": 2}") == "f:1:9: unexpected string; expected ',' or '}'");
    CHECK(refusal("[1 2]") == "f:1:4: unexpected number; expected ',' or ']'");
    CHECK(refusal("{\"a\": 1,}") ==
          "f:1:9: unexpected '}'; expected a name in double quotes (no comma after the last entry)");
    CHECK(refusal("[1,\n]") == "f:2:1: unexpected ']'; expected a value (no comma after the last entry)");
    CHECK(refusal("[1,,2]") == "f:1:4: unexpected ','; expected a value");
    CHECK(refusal("{\"a\":: 1}") == "f:1:6: unexpected ':'; expected a value");
    CHECK(refusal("{a: 1}") == "f:1:2: neither a value nor punctuation (text needs double quotes)");
    CHECK(refusal("[12,\n  yes]") == "f:2:3: neither a value nor punctuation (text needs double quotes)");
    CHECK(refusal("[1] 2") == "f:1:5: unexpected number; expected the end of the file");
    CHECK(refusal("1}") == "f:1:2: unexpected '}'; expected the end of the file");
    CHECK(refusal("[\"abc\n\"]").starts_with("f:1:2: invalid string: control character U+000A (LF)"));
    CHECK(refusal("[1, /* abc ]").starts_with("f:1:5: invalid comment; missing closing '*/'"));
    CHECK(refusal("[1e999]") == "f:1:2: number overflow parsing '1e999'");
    CHECK(refusal("[\"\xFF\"]").starts_with("f:1:2: invalid string: ill-formed UTF-8 byte"));
}

TEST_CASE("json: a file that ends too early says what is open") {
    CHECK(refusal("{\"a\": [1,\n 2") ==
          "f:2:3: unexpected end of the file; expected ',' or ']' ('[' at 1:7 is not closed)");
    CHECK(refusal("{\"a\": 1,\n").starts_with("f:2:1: unexpected end of the file; "));
    CHECK(refusal("[\"abc").starts_with("f:1:2: invalid string: missing closing quote"));
}

TEST_CASE("json: a zero byte does not end the file") {
    CHECK(refusal(std::string_view("{}\n\0 {", 6)) == "f:2:1: a zero byte: this is not a UTF-8 text");
}

TEST_CASE("json: nesting has a limit") {
    CHECK(read(std::string(100, '[') + std::string(100, ']')).is(JsonKind::array));
    CHECK(refusal(std::string(100'000, '[')) == "f:1:101: lists and objects are nested more than 100 deep");
}

TEST_CASE("json: members of long objects are found by their keys, and so are those added later") {
    const std::size_t members = GENERATE(1U, 32U, 33U, 2000U);  // of few and of many
    JsonNode object;
    object.kind = JsonKind::object;
    const auto add = [&](const std::string& key, const std::string& text) {
        JsonMember& member = object.members.emplace_back();
        member.key = key;
        member.value.text = text;
    };
    for (std::size_t i = 0; i < members; ++i) {
        add("q" + std::to_string(i), std::to_string(i));
    }
    for (std::size_t i = 0; i < members; ++i) {
        REQUIRE(object.find("q" + std::to_string(i)) == &object.members[i].value);
    }
    CHECK(object.find("q") == nullptr);

    add("late", "once");
    add("late", "twice");  // the first one counts
    REQUIRE(object.find("late") != nullptr);
    CHECK(object.find("late")->text == "once");

    const JsonNode copy = object;
    object.find("late")->text = "another";
    REQUIRE(copy.find("late") != nullptr);
    CHECK(copy.find("late")->text == "once");
    REQUIRE(copy.find("q0") != nullptr);
    CHECK(copy.find("q0")->text == "0");
}

}  // namespace ndsim::test::json_test

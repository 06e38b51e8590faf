// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "sim/base/rng.hpp"

using namespace ndsim;

namespace {

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

// Writes random JSON, and what must be read back: every value and key with the place where it was written.
class RandomJson {
public:
    explicit RandomJson(std::string_view name) : rng_(1, name) {}

    JsonNode write(unsigned depth = 0) {
        filler();
        JsonNode node;
        node.at = at_;
        node.kind = static_cast<JsonKind>(rng_.between(0, depth < 4 ? 6 : 4));
        switch (node.kind) {
            case JsonKind::null:
                put("null");
                break;
            case JsonKind::boolean:
                node.flag = rng_.chance(50_percent);
                put(node.flag ? "true" : "false");
                break;
            case JsonKind::integer:
                node.magnitude = rng_.next() >> rng_.between(1, 63);
                node.negative = node.magnitude != 0 && rng_.chance(50_percent);
                put((node.negative ? "-" : "") + std::to_string(node.magnitude));
                break;
            case JsonKind::real:
                node.text = std::to_string(rng_.between(0, 99)) + ".25e-3";
                put(node.text);
                break;
            case JsonKind::string:
                node.text = string();
                break;
            case JsonKind::array:
                put("[");
                for (std::uint64_t i = rng_.between(0, 4); i > 0; --i) {
                    node.items.push_back(write(depth + 1));
                    filler();
                    put(i > 1 ? "," : "");
                }
                filler();
                put("]");
                break;
            case JsonKind::object:
                put("{");
                for (std::uint64_t i = rng_.between(0, 4); i > 0; --i) {
                    filler();
                    JsonMember member;
                    member.at = at_;
                    member.key = string();
                    filler();
                    put(":");
                    member.value = write(depth + 1);
                    filler();
                    put(i > 1 ? "," : "");
                    node.members.push_back(member);
                }
                filler();
                put("}");
                break;
        }
        return node;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    // Of ASCII without line ends, unless the text is one character or line end.
    void put(std::string_view text) {
        text_ += text;
        at_.column += static_cast<std::uint32_t>(text.size());
    }
    void put_character(std::string_view utf8) {
        text_ += utf8;
        ++at_.column;
    }
    void put_line_end(std::string_view text) {
        text_ += text;
        ++at_.line;
        at_.column = 1;
    }
    std::string string() {
        constexpr std::array<std::string_view, 4> kCharacters{"a", "/", "\u00E4", "\U0001F600"};
        const std::string value = std::to_string(number_++);  // keys differ
        put("\"" + value);
        std::string more;
        for (std::uint64_t i = rng_.between(0, 3); i > 0; --i) {
            const std::string_view character = kCharacters.at(rng_.between(0, 3));
            put_character(character);
            more += character;
        }
        if (rng_.chance(20_percent)) {
            put("\\\"//[");
            more += "\"//[";
        }
        put("\"");
        return value + more;
    }
    // White space and comments, with what could be mistaken for tokens in them.
    void filler() {
        for (std::uint64_t i = rng_.between(0, 2); i > 0; --i) {
            switch (rng_.between(0, 5)) {
                case 0:
                    put(" \t");
                    break;
                case 1:
                    put_line_end("\n");
                    break;
                case 2:
                    put_line_end("\r\n");
                    break;
                case 3:
                    put("// 1, \"a\": {[ /* ");
                    put_line_end("\n");
                    break;
                case 4:
                    put("/* ,: } // **/");
                    break;
                default:
                    put("/*");
                    put_character("\u20AC");
                    put_line_end("\n");
                    put("*/");
                    break;
            }
        }
    }

    Rng rng_;
    std::string text_;
    Position at_{1, 1};
    int number_ = 0;
};

void check_same(const JsonNode& is, const JsonNode& should) {
    REQUIRE(is.kind == should.kind);
    REQUIRE(to_text(is.at) == to_text(should.at));
    REQUIRE(is.flag == should.flag);
    REQUIRE(is.magnitude == should.magnitude);
    REQUIRE(is.negative == should.negative);
    REQUIRE(is.text == should.text);
    REQUIRE(is.items.size() == should.items.size());
    for (std::size_t i = 0; i < is.items.size(); ++i) {
        check_same(is.items[i], should.items[i]);
    }
    REQUIRE(is.members.size() == should.members.size());
    for (std::size_t i = 0; i < is.members.size(); ++i) {
        REQUIRE(is.members[i].key == should.members[i].key);
        REQUIRE(to_text(is.members[i].at) == to_text(should.members[i].at));
        check_same(is.members[i].value, should.members[i].value);
    }
}

}  // namespace

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

TEST_CASE("json: random texts are read as they were written") {
    for (int i = 0; i < 500; ++i) {
        RandomJson random("json " + std::to_string(i));
        const JsonNode written = random.write();
        CAPTURE(random.text());
        check_same(read(random.text()), written);
    }
}

TEST_CASE("json: whole numbers keep all 64 bits, other numbers their text") {
    const JsonNode root = read(
        "[18446744073709551615, 18446744073709551616, -9223372036854775808, 9223372036854775807, -1, 0, -0, 1e3, "
        "2.50]");
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto& items = root.items;
    REQUIRE(items.size() == 9);
    CHECK(items[0].as_unsigned() == std::numeric_limits<std::uint64_t>::max());
    CHECK_FALSE(items[0].as_signed());
    CHECK(items[1].is(JsonKind::real));
    CHECK(items[1].text == "18446744073709551616");
    CHECK(items[2].as_signed() == kLeast);
    CHECK_FALSE(items[2].as_unsigned());
    CHECK(items[3].as_signed() == kMost);
    CHECK(items[4].as_signed() == -1);
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

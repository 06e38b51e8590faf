// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/rng.hpp"
#include "sim/config/json.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::json_random_test {

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

TEST_CASE("json: random texts are read as they were written") {
    for (int i = 0; i < 500; ++i) {
        RandomJson random("json " + std::to_string(i));
        const JsonNode written = random.write();
        CAPTURE(random.text());
        Problems problems("f");
        const auto read = parse_json(random.text(), problems);
        REQUIRE(problems.text().empty());
        REQUIRE(read);
        check_same(*read, written);
    }
}

}  // namespace ndsim::test::json_random_test

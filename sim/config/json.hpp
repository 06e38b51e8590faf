// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/json_index.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

enum class JsonKind : std::uint8_t { null, boolean, integer, real, string, array, object };

struct JsonMember;

// JsonNode: one value of a JSON file and the position of its first character. The kind decides which members count.
struct JsonNode {
    JsonKind kind = JsonKind::null;
    Position at;
    bool flag = false;                // boolean
    bool negative = false;            // integer
    std::uint64_t magnitude = 0;      // integer, without its sign; integers beyond 64 bits are reals
    std::string text;                 // string: its value. real: as written
    std::vector<JsonNode> items;      // array
    std::vector<JsonMember> members;  // object, in the order of the file

    [[nodiscard]] bool is(JsonKind wanted) const { return kind == wanted; }
    // The value of the first member with this key.
    [[nodiscard]] const JsonNode* find(std::string_view key) const;
    [[nodiscard]] JsonNode* find(std::string_view key);
    [[nodiscard]] std::optional<std::uint64_t> as_unsigned() const;
    [[nodiscard]] std::string shown() const;  // as a message names it: 400, "abc", true, a list, an object

    mutable JsonIndex index;  // of the members
};

// A key of an object, and its value.
struct JsonMember {
    std::string key;
    Position at;  // of the key
    JsonNode value;
};

// Reads a JSON text, with comments. A syntax error is added to `problems` and gives nothing; duplicate keys are all
// added, and the text is read to its end.
[[nodiscard]] std::optional<JsonNode> parse_json(std::string_view text, Problems& problems);

}  // namespace ndsim

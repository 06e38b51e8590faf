// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json.hpp"

#include "sim/base/text.hpp"

namespace ndsim {

const JsonNode* JsonNode::find(std::string_view key) const {
    const std::size_t place = index.find(members, key);
    return place == members.size() ? nullptr : &members[place].value;
}

JsonNode* JsonNode::find(std::string_view key) {
    const std::size_t place = index.find(members, key);
    return place == members.size() ? nullptr : &members[place].value;
}

std::optional<std::uint64_t> JsonNode::as_unsigned() const {
    return is(JsonKind::integer) && !negative ? std::optional(magnitude) : std::nullopt;
}

std::string JsonNode::shown() const {
    switch (kind) {
        case JsonKind::null:
            return "null";
        case JsonKind::boolean:
            return flag ? "true" : "false";
        case JsonKind::integer:
            return (negative ? "-" : "") + std::to_string(magnitude);
        case JsonKind::real:
            return text;
        case JsonKind::string:
            return in_quotes(text);
        case JsonKind::array:
            return "a list";
        case JsonKind::object:
            break;
    }
    return "an object";
}

}  // namespace ndsim

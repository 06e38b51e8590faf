// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <regex>
#include <string>

#include "sim/config/json.hpp"

namespace ndsim::test {

// Says what a JSON value has that its schema does not allow; empty: nothing. Knows the keywords that ours uses, and
// refuses any other.
class SchemaValidator {
public:
    explicit SchemaValidator(const JsonNode& schema) : root_(schema) {}

    [[nodiscard]] std::string validate(const JsonNode& value) const { return check(value, root_, "$"); }

private:
    [[nodiscard]] std::string check(const JsonNode& value, const JsonNode& schema, const std::string& path) const {
        for (const JsonMember& rule : schema.members) {
            if (std::string wrong = check(value, schema, rule.key, rule.value, path); !wrong.empty()) {
                return wrong;
            }
        }
        return {};
    }

    [[nodiscard]] static bool is_type(const JsonNode& value, const std::string& type) {
        return (type == "object" && value.is(JsonKind::object)) || (type == "array" && value.is(JsonKind::array)) ||
               (type == "string" && value.is(JsonKind::string)) || (type == "boolean" && value.is(JsonKind::boolean)) ||
               (type == "integer" && value.is(JsonKind::integer));
    }
    [[nodiscard]] static bool fits(const JsonNode& value, const std::string& pattern) {
        return !value.is(JsonKind::string) || std::regex_search(value.text, std::regex(pattern));
    }
    [[nodiscard]] std::size_t matches(const JsonNode& value, const JsonNode& schemas) const {
        return static_cast<std::size_t>(
            std::count_if(schemas.items.begin(), schemas.items.end(),
                          [&](const JsonNode& each) { return check(value, each, "").empty(); }));
    }
    [[nodiscard]] static bool has_twins(const JsonNode& list) {
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (list.items[i].shown() == list.items[j].shown()) {
                    return true;
                }
            }
        }
        return false;
    }

    [[nodiscard]] std::string check(const JsonNode& value, const JsonNode& schema, const std::string& key,
                                    const JsonNode& rule, const std::string& path) const {
        const auto unless = [&](bool good) { return good ? std::string() : path + ": " + key; };
        if (key == "$schema" || key == "title" || key == "description" || key == "default" || key == "$defs") {
            return {};
        }
        if (key == "$ref") {
            const JsonNode* const target = root_.find("$defs")->find(rule.text.substr(std::string("#/$defs/").size()));
            return target == nullptr ? path + ": no " + rule.text : check(value, *target, path);
        }
        if (key == "type") {
            return unless(is_type(value, rule.text));
        }
        if (key == "enum") {
            return unless(std::any_of(rule.items.begin(), rule.items.end(), [&](const JsonNode& each) {
                return each.kind == value.kind && each.text == value.text && each.as_unsigned() == value.as_unsigned();
            }));
        }
        if (key == "pattern") {
            return unless(fits(value, rule.text));
        }
        if (key == "minimum") {
            return unless(!value.is(JsonKind::integer) || (!value.negative && value.magnitude >= rule.magnitude));
        }
        if (key == "maximum") {
            return unless(!value.is(JsonKind::integer) || value.negative || value.magnitude <= rule.magnitude);
        }
        if (key == "minItems") {
            return unless(value.items.size() >= rule.magnitude);
        }
        if (key == "maxItems") {
            return unless(value.items.size() <= rule.magnitude);
        }
        if (key == "uniqueItems") {
            return unless(!has_twins(value));
        }
        if (key == "if") {
            const JsonNode* const next = schema.find(check(value, rule, path).empty() ? "then" : "else");
            return next == nullptr ? std::string() : check(value, *next, path);
        }
        if (key == "then" || key == "else") {
            return {};  // of "if"
        }
        if (key == "anyOf") {
            return unless(matches(value, rule) >= 1);
        }
        if (key == "required") {
            return unless(std::all_of(rule.items.begin(), rule.items.end(),
                                      [&](const JsonNode& name) { return value.find(name.text) != nullptr; }));
        }
        return check_parts(value, schema, key, rule, path);
    }

    [[nodiscard]] std::string check_parts(const JsonNode& value, const JsonNode& schema, const std::string& key,
                                          const JsonNode& rule, const std::string& path) const {
        std::string wrong;
        if (key == "items") {
            for (std::size_t i = 0; i < value.items.size() && wrong.empty(); ++i) {
                wrong = check(value.items[i], rule, path + "[" + std::to_string(i) + "]");
            }
        } else if (key == "properties" || key == "additionalProperties" || key == "propertyNames") {
            const JsonNode* const known = schema.find("properties");
            for (const JsonMember& member : value.members) {
                const JsonNode* const own = known == nullptr ? nullptr : known->find(member.key);
                const std::string inner = path + "." + member.key;
                if (key == "properties" && own != nullptr) {
                    wrong = check(member.value, *own, inner);
                } else if (key == "propertyNames") {
                    JsonNode name;
                    name.kind = JsonKind::string;
                    name.text = member.key;
                    wrong = check(name, rule, inner);
                } else if (key == "additionalProperties" && own == nullptr) {
                    wrong = rule.is(JsonKind::boolean) ? inner + ": unknown" : check(member.value, rule, inner);
                }
                if (!wrong.empty()) {
                    return wrong;
                }
            }
        } else {
            wrong = path + ": a keyword that the validator does not know: " + key;
        }
        return wrong;
    }

    const JsonNode& root_;
};

}  // namespace ndsim::test

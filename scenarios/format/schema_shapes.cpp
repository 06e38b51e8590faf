// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/schema_shapes.hpp"

#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

constexpr std::string_view kName = "^[A-Za-z][A-Za-z0-9_]{0,63}$";

SchemaJson type(std::string_view name) {
    return {{"type", name}};
}

SchemaJson whole_number(int minimum) {
    return {{"type", "integer"}, {"minimum", minimum}};
}

SchemaJson list_of(SchemaJson items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

SchemaJson list_of(SchemaJson items, int fewest) {
    SchemaJson list = list_of(std::move(items));
    list["minItems"] = fewest;
    return list;
}

SchemaJson map_of(SchemaJson values) {
    return {{"type", "object"}, {"propertyNames", {{"pattern", kName}}}, {"additionalProperties", std::move(values)}};
}

SchemaJson any_of(SchemaJson::array_t kinds) {
    return {{"anyOf", std::move(kinds)}};
}

// A whole number, or any quantity except a length: no metric is one.
SchemaJson bound() {
    SchemaJson::array_t kinds{whole_number(0)};
    for (const Quantity quantity : kQuantities) {
        if (quantity != Quantity::length) {
            kinds.push_back(reference_to(quantity_name(word(quantity))));
        }
    }
    return any_of(std::move(kinds));
}

SchemaJson pair() {
    SchemaJson list = list_of(type("string"), 2);
    list["maxItems"] = 2;
    return list;
}

SchemaJson choices_of(const Key& key) {
    return {{"type", "array"}, {"uniqueItems", true}, {"items", enum_of(key.choices)}};
}

}  // namespace

std::string definition(std::string_view name) {
    return "#/$defs/" + std::string(name);
}

// The prefix distinguishes it from a section: "time" is also an operation.
std::string quantity_name(std::string_view quantity) {
    return "quantity_" + std::string(quantity);
}

SchemaJson reference_to(std::string_view name) {
    return {{"$ref", definition(name)}};
}

SchemaJson enum_of(std::span<const std::string_view> choices) {
    return {{"enum", SchemaJson::array_t(choices.begin(), choices.end())}};
}

SchemaJson shape_of(const Key& key) {
    const SchemaJson size = reference_to(quantity_name("size"));
    switch (key.shape) {
        case Shape::text:
        case Shape::reference:
            return type("string");
        case Shape::name:
            return {{"type", "string"}, {"pattern", kName}};
        case Shape::choice:
            return enum_of(key.choices);
        case Shape::choices:
            return choices_of(key);
        case Shape::bound:
            return bound();
        case Shape::sizes:
            return any_of({size, list_of(size, 1)});
        case Shape::size_list:
            return list_of(size, 1);
        case Shape::count_list:
            return list_of(whole_number(1), 1);
        case Shape::pair:
            return pair();
        case Shape::references:
            return list_of(type("string"), 1);
        case Shape::texts:
            return any_of({type("string"), list_of(type("string"), 1)});
        case Shape::steps:
            return any_of({type("string"), type("number"), type("boolean"), type("array")});
        case Shape::object:
            return reference_to(key.section);
        case Shape::flag_or_object:
            return any_of({type("boolean"), reference_to(key.section)});
        case Shape::map:
            return map_of(reference_to(key.section));
        case Shape::list:
            return list_of(reference_to(key.section));
        case Shape::lists:
            return map_of(list_of(reference_to(key.section)));
    }
    return {};
}

}  // namespace ndsim::format

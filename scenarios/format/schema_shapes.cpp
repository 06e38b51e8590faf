// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/schema_shapes.hpp"

#include "scenarios/format/units.hpp"

namespace ndsim::format {

namespace {

constexpr std::string_view kName = "^[A-Za-z][A-Za-z0-9_]{0,63}$";

void write_type(JsonText& json, std::string_view type) {
    json.open_object();
    json.text("type", type);
    json.close_object();
}

void write_texts(JsonText& json) {
    json.text("type", "array");
    json.open_object("items");
    json.text("type", "string");
    json.close_object();
}

void write_list_of(JsonText& json, std::string_view name) {
    json.text("type", "array");
    json.open_object("items");
    json.text("$ref", definition(name));
    json.close_object();
}

void open_map(JsonText& json) {
    json.text("type", "object");
    json.open_object("propertyNames");
    json.text("pattern", kName);
    json.close_object();
    json.open_object("additionalProperties");
}

// A whole number, or any quantity except a length: no metric is one.
void write_bound(JsonText& json) {
    json.open_array("anyOf");
    json.open_object();
    json.text("type", "integer");
    json.number("minimum", "0");
    json.close_object();
    for (const UnitNames& units : kUnitNames) {
        if (units.quantity != Quantity::length) {
            write_reference(json, quantity_name(word(units.quantity)));
        }
    }
    json.close_array();
}

void write_sizes(JsonText& json) {
    json.open_array("anyOf");
    write_reference(json, quantity_name("size"));
    json.open_object();
    write_list_of(json, quantity_name("size"));
    json.number("minItems", "1");
    json.close_object();
    json.close_array();
}

void write_counts(JsonText& json) {
    json.text("type", "array");
    json.open_object("items");
    json.text("type", "integer");
    json.number("minimum", "1");
    json.close_object();
    json.number("minItems", "1");
}

void write_one_or_more_texts(JsonText& json) {
    json.open_array("anyOf");
    write_type(json, "string");
    json.open_object();
    write_texts(json);
    json.number("minItems", "1");
    json.close_object();
    json.close_array();
}

void write_steps(JsonText& json) {
    json.open_array("anyOf");
    for (const std::string_view type : {"string", "number", "boolean", "array"}) {
        write_type(json, type);
    }
    json.close_array();
}

void write_flag_or(JsonText& json, std::string_view section) {
    json.open_array("anyOf");
    write_type(json, "boolean");
    write_reference(json, section);
    json.close_array();
}

void write_choices(JsonText& json, std::span<const std::string_view> choices) {
    json.text("type", "array");
    json.flag("uniqueItems", true);
    json.open_object("items");
    write_enum(json, choices);
    json.close_object();
}

void write_references(JsonText& json, std::string_view least, std::string_view most) {
    write_texts(json);
    json.number("minItems", least);
    if (!most.empty()) {
        json.number("maxItems", most);
    }
}

}  // namespace

std::string definition(std::string_view name) {
    return "#/$defs/" + std::string(name);
}

// The prefix distinguishes it from a section: "time" is also an operation.
std::string quantity_name(std::string_view quantity) {
    return "quantity_" + std::string(quantity);
}

void write_reference(JsonText& json, std::string_view name) {
    json.open_object();
    json.text("$ref", definition(name));
    json.close_object();
}

void write_enum(JsonText& json, std::span<const std::string_view> choices) {
    json.open_array("enum");
    for (const std::string_view choice : choices) {
        json.text(choice);
    }
    json.close_array();
}

void write_shape(JsonText& json, const Key& key) {
    switch (key.shape) {
        case Shape::text:
        case Shape::reference:
            return json.text("type", "string");
        case Shape::name:
            json.text("type", "string");
            return json.text("pattern", kName);
        case Shape::choice:
            return write_enum(json, key.choices);
        case Shape::choices:
            return write_choices(json, key.choices);
        case Shape::bound:
            return write_bound(json);
        case Shape::sizes:
            return write_sizes(json);
        case Shape::size_list:
            write_list_of(json, quantity_name("size"));
            return json.number("minItems", "1");
        case Shape::count_list:
            return write_counts(json);
        case Shape::pair:
            return write_references(json, "2", "2");
        case Shape::references:
            return write_references(json, "1", {});
        case Shape::texts:
            return write_one_or_more_texts(json);
        case Shape::steps:
            return write_steps(json);
        case Shape::object:
            return json.text("$ref", definition(key.section));
        case Shape::flag_or_object:
            return write_flag_or(json, key.section);
        case Shape::map:
            open_map(json);
            json.text("$ref", definition(key.section));
            return json.close_object();
        case Shape::list:
            return write_list_of(json, key.section);
        case Shape::lists:
            open_map(json);
            write_list_of(json, key.section);
            return json.close_object();
    }
}

}  // namespace ndsim::format

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/schema.hpp"

#include <span>
#include <string_view>
#include <vector>

#include "scenarios/format/schema_shapes.hpp"
#include "scenarios/format/structure.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

using namespace format;

namespace {

SchemaJson value_of(Quantity quantity) {
    return {{"type", "string"},
            {"pattern",
             "^[ \\t\\r\\n]*[0-9]+(\\.[0-9]+)?[ \\t\\r\\n]*(" + join(unit_names(quantity), "|") + ")[ \\t\\r\\n]*$"}};
}

SchemaJson required(std::string_view name) {
    return {{"required", SchemaJson::array({name})}};
}

// The first verb that an object has decides, so that an error is at one of this variant's keys and values.
SchemaJson variant_in(const Section& of, std::span<const std::string_view> variants) {
    if (variants.empty()) {
        SchemaJson::array_t verbs;
        for (const std::string_view variant : of.variants) {
            verbs.push_back(required(section(variant).verb));
        }
        return {{"anyOf", std::move(verbs)}};
    }
    return {{"if", required(section(variants.front()).verb)},
            {"then", reference_to(variants.front())},
            {"else", variant_in(of, variants.subspan(1))}};
}

// Editors offer the names of the properties, and tell what each is.
SchemaJson variants(const Section& of) {
    SchemaJson verbs = SchemaJson::object();
    for (const std::string_view variant : of.variants) {
        verbs[std::string(section(variant).verb)] = {{"description", section(variant).sentence}};
    }
    SchemaJson json{{"description", of.sentence}, {"type", "object"}, {"properties", std::move(verbs)}};
    json.update(variant_in(of, of.variants));
    return json;
}

SchemaJson number_of(const Param& param) {
    const SchemaJson low = SchemaJson::parse(param.low());
    const SchemaJson high = SchemaJson::parse(param.high());
    if (!param.takes_powers_of_two()) {
        return {{"type", "integer"}, {"minimum", low}, {"maximum", high}};
    }
    SchemaJson::array_t powers;
    for (auto power = low.get<std::uint64_t>(); power <= high.get<std::uint64_t>(); power *= 2) {
        powers.push_back(power);
    }
    return {{"enum", std::move(powers)}};
}

SchemaJson count(const Param& param) {
    SchemaJson number = number_of(param);
    if (param.choices().empty()) {
        return number;
    }
    return {{"anyOf", SchemaJson::array({enum_of(param.choices()), std::move(number)})}};
}

SchemaJson value_of(const Param& param) {
    switch (param.written_as()) {
        case JsonKind::boolean:
            return {{"type", "boolean"}};
        case JsonKind::integer:
            return count(param);
        default:
            return param.choices().empty() ? reference_to(quantity_name(param.type())) : enum_of(param.choices());
    }
}

SchemaJson parameter(const Section& of, const Param& param) {
    SchemaJson json{{"description", param.sentence()}};
    json.update(value_of(param));
    if (!other_default(of, param)) {
        const bool is_text = param.written_as() == JsonKind::string || param.is_word();
        json["default"] = is_text ? SchemaJson(param.current()) : SchemaJson::parse(param.current());
    }
    return json;
}

// The parameters are a list of paths; those with the same first step, which are adjacent, form one object.
SchemaJson parameters(const Section& of, std::span<const Param> params, const std::string& prefix) {
    SchemaJson json = SchemaJson::object();
    for (std::size_t i = 0; i < params.size();) {
        const std::string rest = std::string(params[i].path()).substr(prefix.size());
        const std::size_t point = rest.find('.');
        if (point == std::string::npos) {
            json[rest] = parameter(of, params[i]);
            ++i;
            continue;
        }
        const std::string group = prefix + rest.substr(0, point + 1);
        std::size_t end = i;
        while (end < params.size() && params[end].path().starts_with(group)) {
            ++end;
        }
        json[rest.substr(0, point)] = {{"type", "object"},
                                       {"properties", parameters(of, params.subspan(i, end - i), group)},
                                       {"additionalProperties", false}};
        i = end;
    }
    return json;
}

std::vector<std::string_view> required_keys(const Section& of) {
    std::vector<std::string_view> names;
    if (!of.verb.empty()) {
        names.push_back(of.verb);
    }
    for (const Key& key : of.keys) {
        if (key.required && key.name != of.verb) {
            names.push_back(key.name);
        }
    }
    return names;
}

SchemaJson object(const Section& of) {
    SchemaJson properties = SchemaJson::object();
    if (of.params != nullptr) {
        of.params([&](std::span<const Param> params) { properties = parameters(of, params, ""); });
    }
    for (const Key& key : of.keys) {
        SchemaJson json{{"description", key.sentence}};
        json.update(shape_of(key));
        properties[std::string(key.name)] = std::move(json);
    }
    SchemaJson json{{"description", of.sentence},
                    {"type", "object"},
                    {"properties", std::move(properties)},
                    {"additionalProperties", false}};
    if (const auto names = required_keys(of); !names.empty()) {
        json["required"] = names;
    }
    return json;
}

}  // namespace

std::string schema() {
    SchemaJson definitions = SchemaJson::object();
    for (const Quantity quantity : kQuantities) {
        definitions[quantity_name(word(quantity))] = value_of(quantity);
    }
    for (const Section& each : sections()) {
        definitions[std::string(each.name)] = each.variants.empty() ? object(each) : variants(each);
    }
    const SchemaJson json{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                          {"title", "ndsim scenario"},
                          {"$ref", definition("scenario")},
                          {"$defs", std::move(definitions)}};
    return json.dump(2) + "\n";
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/schema.hpp"

#include <span>
#include <string_view>
#include <vector>

#include "scenarios/format/json_text.hpp"
#include "scenarios/format/schema_shapes.hpp"
#include "scenarios/format/structure.hpp"
#include "scenarios/format/units.hpp"

namespace ndsim {

using namespace format;

namespace {

// Writes the schema.
class SchemaWriter {
public:
    [[nodiscard]] std::string write() {
        json_.open_object();
        json_.text("$schema", "https://json-schema.org/draft/2020-12/schema");
        json_.text("title", "ndsim scenario");
        json_.text("$ref", definition("scenario"));
        json_.open_object("$defs");
        write_quantities();
        for (const Section& each : sections()) {
            write_section(each);
        }
        json_.close_object();
        json_.close_object();
        return json_.str() + "\n";
    }

private:
    void write_quantities() {
        for (const UnitNames& units : kUnitNames) {
            json_.open_object(quantity_name(word(units.quantity)));
            json_.text("type", "string");
            json_.text("pattern", "^[ \\t]*[0-9]+(\\.[0-9]+)?[ \\t]*(" + std::string(units.names) + ")[ \\t]*$");
            json_.close_object();
        }
    }

    void write_section(const Section& of) {
        json_.open_object(of.name);
        json_.text("description", of.sentence);
        if (!of.variants.empty()) {
            json_.text("type", "object");
            write_verbs(of);
            write_variants(of, of.variants);
            json_.close_object();
            return;
        }
        json_.text("type", "object");
        json_.open_object("properties");
        if (of.params != nullptr) {
            of.params([&](std::span<const Param> params) { write_params(of, params, ""); });
        }
        for (const Key& key : of.keys) {
            json_.open_object(key.name);
            json_.text("description", key.sentence);
            write_shape(json_, key);
            json_.close_object();
        }
        json_.close_object();
        json_.flag("additionalProperties", false);
        write_required(of);
        json_.close_object();
    }

    // For editors, which offer these names and tell what each is.
    void write_verbs(const Section& of) {
        json_.open_object("properties");
        for (const std::string_view variant : of.variants) {
            json_.open_object(section(variant).verb);
            json_.text("description", section(variant).sentence);
            json_.close_object();
        }
        json_.close_object();
    }

    // The first verb that an object has decides, so that an error is one of this variant's keys and values.
    void write_variants(const Section& of, std::span<const std::string_view> variants) {
        if (variants.empty()) {
            json_.open_array("anyOf");
            for (const std::string_view variant : of.variants) {
                json_.open_object();
                write_names("required", {&section(variant).verb, 1});
                json_.close_object();
            }
            json_.close_array();
            return;
        }
        json_.open_object("if");
        write_names("required", {&section(variants.front()).verb, 1});
        json_.close_object();
        json_.open_object("then");
        json_.text("$ref", definition(variants.front()));
        json_.close_object();
        json_.open_object("else");
        write_variants(of, variants.subspan(1));
        json_.close_object();
    }

    void write_names(std::string_view key, std::span<const std::string_view> names) {
        json_.open_array(key);
        for (const std::string_view name : names) {
            json_.text(name);
        }
        json_.close_array();
    }

    void write_required(const Section& of) {
        std::vector<std::string_view> required;
        if (!of.verb.empty()) {
            required.push_back(of.verb);
        }
        for (const Key& key : of.keys) {
            if (key.required && key.name != of.verb) {
                required.push_back(key.name);
            }
        }
        if (!required.empty()) {
            write_names("required", required);
        }
    }

    // The parameters are a list of paths; those with the same first step, which are adjacent, form one object.
    void write_params(const Section& of, std::span<const Param> params, const std::string& prefix) {
        for (std::size_t i = 0; i < params.size();) {
            const std::string_view rest = std::string_view(params[i].path()).substr(prefix.size());
            const std::size_t point = rest.find('.');
            if (point == std::string_view::npos) {
                write_param(of, rest, params[i]);
                ++i;
                continue;
            }
            const std::string group = prefix + std::string(rest.substr(0, point + 1));
            std::size_t end = i;
            while (end < params.size() && params[end].path().starts_with(group)) {
                ++end;
            }
            json_.open_object(rest.substr(0, point));
            json_.text("type", "object");
            json_.open_object("properties");
            write_params(of, params.subspan(i, end - i), group);
            json_.close_object();
            json_.flag("additionalProperties", false);
            json_.close_object();
            i = end;
        }
    }

    void write_param(const Section& of, std::string_view name, const Param& param) {
        const bool has_default = !other_default(of, param);
        json_.open_object(name);
        json_.text("description", param.sentence());
        switch (param.written_as()) {
            case JsonKind::boolean:
                json_.text("type", "boolean");
                break;
            case JsonKind::integer:
                write_count(param);
                break;
            default:
                write_words(param);
                break;
        }
        const bool is_text = param.written_as() == JsonKind::string || param.is_word();
        if (has_default && is_text) {
            json_.text("default", param.current());
        } else if (has_default) {
            json_.number("default", param.current());
        }
        json_.close_object();
    }

    void write_count(const Param& param) {
        const auto write_number = [&] {
            json_.text("type", "integer");
            json_.number("minimum", param.low());
            json_.number("maximum", param.high());
        };
        if (param.choices().empty()) {
            write_number();
            return;
        }
        json_.open_array("anyOf");
        json_.open_object();
        write_enum(json_, param.choices());
        json_.close_object();
        json_.open_object();
        write_number();
        json_.close_object();
        json_.close_array();
    }

    void write_words(const Param& param) {
        if (param.choices().empty()) {
            json_.text("$ref", definition(quantity_name(param.type())));
            return;
        }
        write_enum(json_, param.choices());
    }

    JsonText json_;
};

}  // namespace

std::string schema() {
    return SchemaWriter().write();
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/reference.hpp"

#include <span>
#include <string_view>
#include <vector>

#include "scenarios/format/presets.hpp"
#include "scenarios/format/structure.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

using namespace format;

namespace {

std::string code(std::string_view text) {
    return "`" + std::string(text) + "`";
}

std::string row(std::initializer_list<std::string> cells) {
    std::string row = "|";
    for (const std::string& cell : cells) {
        row += " " + cell + " |";
    }
    return row + "\n";
}

std::string head(std::initializer_list<std::string> cells) {
    std::string text = row(cells) + "|";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += "---|";
    }
    return text + "\n";
}

std::string codes(std::span<const std::string_view> words) {
    std::vector<std::string> all;
    for (const std::string_view each : words) {
        all.push_back(code(each));
    }
    return join(all, ", ");
}

std::string value_of(const Key& key) {
    switch (key.shape) {
        case Shape::text:
            return "text";
        case Shape::name:
            return "name";
        case Shape::reference:
            return "reference";
        case Shape::choice:
            return codes(key.choices);
        case Shape::choices:
            return "list of " + codes(key.choices);
        case Shape::bound:
            return "number and unit, or whole number";
        case Shape::sizes:
            return "size, or list of sizes";
        case Shape::size_list:
            return "list of sizes";
        case Shape::count_list:
            return "list of counts";
        case Shape::pair:
            return "list of two references";
        case Shape::references:
            return "list of references";
        case Shape::texts:
            return "text, or list of texts";
        case Shape::steps:
            return "value or range, or list of these";
        case Shape::object:
            return key.section == key.name ? "object" : "object: " + std::string(key.section);
        case Shape::flag_or_object:
            return "`true`, `false` or object";
        case Shape::map:
            return std::string(key.section) + " objects by name";
        case Shape::list:
            return "list of " + std::string(key.section) + " objects";
        case Shape::lists:
            return "lists of " + std::string(key.section) + " objects by host";
    }
    return {};
}

std::string range_of(const Param& param) {
    const std::string numbers =
        param.low() + " .. " + param.high() + (param.takes_powers_of_two() ? ", powers of two" : "");
    if (param.choices().empty()) {
        return numbers;
    }
    return codes(param.choices()) + (param.type() == "count" ? ", " + numbers : "");
}

std::string default_of(const Section& of, const Param& param) {
    const auto other = other_default(of, param);
    return other ? std::string(*other) : param.current();
}

std::string table_of_keys(const Section& of) {
    if (of.keys.empty()) {
        return {};
    }
    std::string text = head({"key", "value", "is"});
    for (const Key& key : of.keys) {
        text += row({code(key.name), value_of(key), std::string(key.sentence) + (key.required ? " (required)" : "")});
    }
    return text + "\n";
}

std::string table_of_params(const Section& of) {
    if (of.params == nullptr) {
        return {};
    }
    std::string text = head({"parameter", "type", "range", "default", "source", "is"});
    of.params([&](std::span<const Param> params) {
        for (const Param& param : params) {
            text += row({code(param.path()), std::string(param.type()), range_of(param), default_of(of, param),
                         std::string(word(param.mark())), std::string(param.sentence())});
        }
    });
    return text + "\n";
}

std::string title_of(const Section& of) {
    return of.where.empty() ? "The file" : code(of.where) + (of.verb.empty() ? "" : ": " + std::string(of.verb));
}

// One word if it holds for all presets, otherwise one word each.
std::string marks_of(const PresetRow& row) {
    std::vector<std::string> marks;
    for (const std::string_view source : row.sources) {
        marks.emplace_back(word(mark_of(source)));
    }
    const bool same = std::all_of(marks.begin(), marks.end(), [&](const auto& mark) { return mark == marks.front(); });
    return same ? marks.front() : join(marks, ", ");
}

std::string table_of_presets() {
    std::string text =
        "### Presets\n\nWhat `\"preset\"` sets; every other parameter has its default in all of them.\n\n";
    text += head({"parameter", "A", "B", "C", "D", "source, or those of A, B, C and D"});
    for (const PresetRow& each : preset_rows()) {
        const auto& [a, b, c, d] = each.values;
        text += row({code(each.path), std::string(a), std::string(b), std::string(c), std::string(d), marks_of(each)});
    }
    return text;
}

std::string table_of_units() {
    std::string text = "### Units\n\n" + head({"type", "units"});
    for (const Quantity quantity : kQuantities) {
        text += row({std::string(word(quantity)), code(join(unit_names(quantity), " "))});
    }
    return text + "\n";
}

}  // namespace

std::string reference() {
    std::string text;
    for (const Section& each : sections()) {
        if (each.variants.empty()) {
            std::string sentence(each.sentence);
            text += "### " + title_of(each) + "\n\n";
            text += static_cast<char>(sentence.front() - 'a' + 'A') + sentence.substr(1) + ".\n\n";
            text += table_of_keys(each) + table_of_params(each);
        }
    }
    return text + table_of_units() + table_of_presets();
}

}  // namespace ndsim

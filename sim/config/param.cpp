// SPDX-License-Identifier: Apache-2.0
#include "sim/config/param.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <system_error>
#include <vector>

#include "sim/base/text.hpp"

namespace ndsim {

namespace {

constexpr std::array<std::string_view, 5> kMarks{"seen", "memory", "derived", "estimate", "documented"};

}  // namespace

std::string_view word(Mark mark) {
    return kMarks.at(static_cast<std::size_t>(mark));
}

std::string_view Param::type() const {
    switch (is_.form) {
        case Form::flag:
            return "flag";
        case Form::count:
            return "count";
        case Form::choice:
            return "choice";
        case Form::quantity:
            break;
    }
    return word(is_.quantity);
}

JsonKind Param::written_as() const {
    switch (is_.form) {
        case Form::flag:
            return JsonKind::boolean;
        case Form::count:
            return JsonKind::integer;
        case Form::choice:
        case Form::quantity:
            break;
    }
    return JsonKind::string;
}

std::string Param::text(std::uint64_t value) const {
    switch (is_.form) {
        case Form::count:
            return value == kNoNumber && !is_.choices.empty() ? std::string(is_.choices.front())
                                                              : std::to_string(value);
        case Form::quantity:
            return to_text(is_.quantity, value);
        case Form::flag:
        case Form::choice:
            break;
    }
    return std::string(is_.choices[value]);
}

std::string Param::expected() const {
    switch (is_.form) {
        case Form::flag:
            return "expected true or false";
        case Form::count:
            return "expected a whole number" + (is_.choices.empty() ? "" : " or " + in_quotes(is_.choices.front()));
        case Form::quantity:
            return ndsim::expected(is_.quantity);
        case Form::choice:
            break;
    }
    std::vector<std::string> names;
    for (const std::string_view name : is_.choices) {
        names.push_back(in_quotes(name));
    }
    return (names.size() == 1 ? "expected " : "expected one of ") + join(names, ", ");
}

Parsed<std::uint64_t> Param::parsed(std::string_view text, const std::string& shown) const {
    const auto refused = [](std::string sentence) { return Parsed<std::uint64_t>{std::nullopt, std::move(sentence)}; };
    const std::string range =
        "expected " + std::string(is_.powers_of_two ? "a power of two, " : "") + low() + " .. " + high() + ", got ";

    if (is_word(text)) {
        return {kNoNumber, {}};
    }
    Parsed<std::uint64_t> result;
    if (is_.form == Form::quantity) {
        result = parse(is_.quantity, text);
    } else if (is_.form == Form::count) {
        const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
        if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
            return refused(expected() + ", got " + shown);
        }
        std::uint64_t count = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
        if (read.ec != std::errc{}) {
            return refused(range + std::string(text));  // negative or beyond 64 bits
        }
        result.value = count;
    } else {
        const auto name = std::find(is_.choices.begin(), is_.choices.end(), text);
        if (name == is_.choices.end()) {
            return refused(expected() + ", got " + shown);
        }
        result.value = static_cast<std::uint64_t>(name - is_.choices.begin());
    }
    if (result.value && (*result.value < is_.low || *result.value > is_.high ||
                         (is_.powers_of_two && !std::has_single_bit(*result.value)))) {
        return refused(range + (is_.form == Form::count ? std::to_string(*result.value) : this->text(*result.value)));
    }
    return result;
}

std::optional<std::string> Param::set(std::string_view text, const std::string& shown) {
    Parsed<std::uint64_t> result = parsed(text, shown);
    if (!result.value) {
        return std::move(result.error);
    }
    is_.put(is_.target, *result.value);
    return std::nullopt;
}

std::optional<std::string> Param::set(std::string_view text) {
    return set(text, in_quotes(text));
}

std::optional<std::string> Param::set(const JsonNode& node) {
    // An integer beyond 64 bits comes as a real.
    const bool fits = node.is(written_as()) || (is_.form == Form::count && node.is(JsonKind::real)) ||
                      (node.is(JsonKind::string) && is_word(node.text));
    if (!fits) {
        return expected() + ", got " + node.shown();
    }
    return set(node.is(JsonKind::string) ? node.text : node.shown(), node.shown());
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "sim/config/params.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "sim/base/text.hpp"

namespace ndsim {

namespace {

constexpr std::array<std::string_view, 4> kOrigins{"default", "preset", "file", "command line"};
constexpr std::array<std::string_view, 5> kMarks{"seen", "memory", "derived", "estimate", "documented"};

std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
}

// The possible keys of the object at `path`.
std::vector<std::string> keys_of(std::span<const Param> params, const std::string& path) {
    const std::string prefix = path.empty() ? "" : path + ".";
    std::vector<std::string> keys;
    for (const Param& param : params) {
        if (param.path().starts_with(prefix)) {
            const std::string_view rest = std::string_view(param.path()).substr(prefix.size());
            const std::string_view key = rest.substr(0, rest.find('.'));
            if (keys.empty() || keys.back() != key) {
                keys.emplace_back(key);
            }
        }
    }
    return keys;
}

Param* find(std::span<Param> params, std::string_view path) {
    const auto found = std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.path() == path; });
    return found == params.end() ? nullptr : &*found;
}

}  // namespace

std::string_view word(Origin origin) {
    return kOrigins.at(static_cast<std::size_t>(origin));
}
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
    const std::string range = "expected " + low() + " .. " + high() + ", got ";

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
    if (result.value && (*result.value < is_.low || *result.value > is_.high)) {
        return refused(range + (is_.form == Form::count ? std::to_string(*result.value) : this->text(*result.value)));
    }
    return result;
}

std::optional<std::string> Param::set(std::string_view text, const std::string& shown, Origin origin) {
    Parsed<std::uint64_t> result = parsed(text, shown);
    if (!result.value) {
        return std::move(result.error);
    }
    is_.put(is_.target, *result.value);
    origin_ = origin;
    return std::nullopt;
}

std::optional<std::string> Param::set(std::string_view text, Origin origin) {
    return set(text, in_quotes(text), origin);
}

std::optional<std::string> Param::set(const JsonNode& node, Origin origin) {
    // An integer beyond 64 bits comes as a real.
    const bool fits = node.is(written_as()) || (is_.form == Form::count && node.is(JsonKind::real)) ||
                      (node.is(JsonKind::string) && is_word(node.text));
    if (!fits) {
        return expected() + ", got " + node.shown();
    }
    return set(node.is(JsonKind::string) ? node.text : node.shown(), node.shown(), origin);
}

void read_params(std::span<Param> params, const JsonNode& object, const std::string& path, Problems& problems,
                 ReadOptions options) {
    if (!object.is(JsonKind::object)) {
        problems.add(object.at, path, "expected an object, got " + object.shown());
        return;
    }
    const auto contains = [](const auto& keys, const std::string& key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    const std::vector<std::string> known = keys_of(params, path);
    for (const JsonMember& member : object.members) {
        if (contains(options.own_keys, member.key)) {
            continue;
        }
        if (!contains(known, member.key)) {
            std::vector<std::string> all = known;
            all.insert(all.end(), options.own_keys.begin(), options.own_keys.end());
            const auto meant = nearest(member.key, all);
            const std::string suggestion = meant ? "; did you mean " + in_quotes(*meant) + "?" : "";
            problems.add(member.at, path, "unknown key " + in_quotes(member.key) + suggestion,
                         meant ? "" : "known are " + join(all, ", "));
            continue;
        }
        const std::string inner = below(path, member.key);
        if (Param* const param = find(params, inner)) {
            if (auto error = param->set(member.value, options.origin)) {
                problems.add(member.value.at, inner, std::move(*error));
            }
        } else {
            read_params(params, member.value, inner, problems, {options.origin, {}});
        }
    }
}

std::optional<std::string> set_param(std::span<Param> params, std::string_view path, std::string_view text,
                                     Origin origin) {
    if (Param* const param = find(params, path)) {
        return param->set(text, origin);
    }
    std::vector<std::string_view> paths;
    for (const Param& param : params) {
        paths.emplace_back(param.path());
    }
    const auto meant = nearest(path, paths);
    return "unknown parameter " + in_quotes(path) + (meant ? "; did you mean " + in_quotes(*meant) + "?" : "");
}

}  // namespace ndsim

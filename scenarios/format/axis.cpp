// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/axis.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <system_error>

#include "sim/base/text.hpp"

namespace ndsim {

namespace {

// A whole number and the text behind it: " B", or nothing.
struct Number {
    std::uint64_t value = 0;
    std::string_view unit;
};

std::optional<Number> number_of(std::string_view text) {
    Number number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
    if (error != std::errc{} || end == text.data()) {
        return std::nullopt;
    }
    number.unit = text.substr(static_cast<std::size_t>(end - text.data()));
    return number;
}

// A range of values.
struct Range {
    Number from;
    Number to;
    std::uint64_t step = 1;
    bool multiplies = false;
};

std::vector<std::string> numbers_of(const Range& range) {
    std::vector<std::string> values;
    for (std::uint64_t value = range.from.value; value <= range.to.value && values.size() <= kMostPoints;) {
        values.push_back(std::to_string(value) + std::string(range.from.unit));
        const std::uint64_t room = range.to.value - value;  // sums and products must not overflow
        if (range.multiplies ? value > range.to.value / range.step : room < range.step) {
            break;
        }
        value = range.multiplies ? value * range.step : value + range.step;
    }
    return values;
}

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(at);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

// "1:2" for two paths, or one value or range for all paths.
Parsed<std::vector<std::vector<std::string>>> steps_of_entry(std::string_view entry, std::size_t paths) {
    const std::vector<std::string> parts = split(entry, ':');
    if (paths > 1 && parts.size() > 1) {
        if (parts.size() != paths) {
            return {std::nullopt,
                    "expected " + std::to_string(paths) + " values with \":\" between them, got " + in_quotes(entry)};
        }
        return {std::vector<std::vector<std::string>>{parts}, {}};
    }
    const auto values = values_of(entry);
    if (!values.value) {
        return {std::nullopt, values.error};
    }
    std::vector<std::vector<std::string>> steps;
    for (const std::string& value : *values.value) {
        steps.emplace_back(paths, value);
    }
    return {std::move(steps), {}};
}

}  // namespace

std::uint64_t points_of(const std::vector<Axis>& axes) {
    std::uint64_t points = 1;
    for (const Axis& axis : axes) {
        points = std::min(points * axis.steps.size(), kMostPoints + 1);
    }
    return points;
}

std::vector<std::string> overrides_of(const std::vector<Axis>& axes, std::uint64_t point) {
    std::vector<std::string> overrides;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        const std::vector<std::string>& step = axis->steps.at(point % axis->steps.size());
        for (std::size_t i = step.size(); i-- > 0;) {
            overrides.push_back(axis->paths.at(i) + "=" + step[i]);
        }
        point /= axis->steps.size();
    }
    std::ranges::reverse(overrides);
    return overrides;
}

Parsed<std::vector<std::string>> values_of(std::string_view entry) {
    const std::size_t dots = entry.find("..");
    const std::optional<Number> from = number_of(entry.substr(0, dots));
    if (dots == std::string_view::npos || !from) {
        return {std::vector{std::string(entry)}, {}};
    }
    const std::string_view rest = entry.substr(dots + 2);
    const std::size_t sign = rest.find_first_of("+*");
    const auto to = number_of(rest.substr(0, sign));
    Range range{*from, to.value_or(Number{}), 1, sign != std::string_view::npos && rest[sign] == '*'};
    const auto step = sign == std::string_view::npos ? Number{1, {}} : number_of(rest.substr(sign + 1));
    const std::uint64_t least = range.multiplies ? 2 : 1;
    const auto is_fraction = [](const auto& number) { return number && number->unit.starts_with('.'); };
    if (is_fraction(from) || is_fraction(to) || is_fraction(step)) {
        return {std::nullopt, "the range " + in_quotes(entry) +
                                  " needs whole numbers; other values are listed, such as 0.5%,0.75%,1%"};
    }
    if (to && from->unit != to->unit) {
        return {std::nullopt, "the ends of the range " + in_quotes(entry) + " need the same unit"};
    }
    if (!to || !step || !step->unit.empty() || step->value < least) {
        return {std::nullopt,
                "expected a range such as 1..8, 0..100+25, 1..64*2 or 64 B..4096 B*2, got " + in_quotes(entry)};
    }
    if (range.multiplies && from->value == 0) {  // 0 B..64 B*2 becomes 0 B,1 B..64 B*2
        return {std::nullopt, "a range that is multiplied does not leave 0: write " +
                                  std::string(entry.substr(0, dots)) + ",1" + std::string(from->unit) + ".." +
                                  std::string(rest)};
    }
    if (from->value > to->value) {
        return {std::nullopt, "the range " + in_quotes(entry) + " does not reach its end"};
    }
    range.step = step->value;
    std::vector<std::string> numbers = numbers_of(range);
    if (numbers.size() == 1 && from->value < to->value) {
        const std::string unit(range.multiplies ? "" : from->unit);  // that of its ends
        return {std::nullopt, "the range " + in_quotes(entry) + " has a single value: its step is " +
                                  std::to_string(range.step) + unit};
    }
    return {std::move(numbers), {}};
}

Parsed<Axis> parse_axis(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
        return {std::nullopt, "expected path=value,value..., such as nic.sq.depth=1,2,4..64*2, got " + in_quotes(text)};
    }
    Axis axis;
    axis.paths = split(text.substr(0, equals), ',');
    for (const std::string& entry : split(text.substr(equals + 1), ',')) {
        auto steps = steps_of_entry(entry, axis.paths.size());
        if (!steps.value) {
            return {std::nullopt, std::string(text.substr(0, equals)) + ": " + steps.error};
        }
        std::ranges::move(*steps.value, std::back_inserter(axis.steps));
    }
    return {std::move(axis), {}};
}

}  // namespace ndsim

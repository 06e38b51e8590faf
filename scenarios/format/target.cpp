// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/target.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"

namespace ndsim {

namespace {

constexpr std::string_view kExamples =
    "expected a target such as \"95 % of line rate\", \"p99 < 5 us\", \"goodput >= 90 Gbps\", \"no overflow\" or "
    "\"no RNR\", got ";

// The short name of a figure of every generator.
struct ShortName {
    std::string_view name;
    std::string_view figure;
};
constexpr std::array kShortNames{ShortName{"goodput", "goodput"},       ShortName{"message rate", "message_rate"},
                                 ShortName{"p50", "latency.p50"},       ShortName{"p90", "latency.p90"},
                                 ShortName{"p99", "latency.p99"},       ShortName{"p99.9", "latency.p99_9"},
                                 ShortName{"p99.99", "latency.p99_99"}, ShortName{"mean", "latency.mean"},
                                 ShortName{"max", "latency.max"},       ShortName{"latency", "latency.max"}};

// A longer sign comes first: "<=" begins with "<".
struct Comparison {
    std::string_view sign;
    bool at_least = true;
};
constexpr std::array kComparisons{Comparison{"<=", false}, Comparison{">=", true},       Comparison{"<", false},
                                  Comparison{">", true},   Comparison{"at most", false}, Comparison{"at least", true}};

std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::size_t word = text.find(" and ");
        const std::size_t end = std::min(comma, word);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + (end == comma ? 1 : 5));
    }
}

// A number with a unit of metrics, none of which is a length, or a whole number.
bool read_bound(std::string_view text, Target& target) {
    const std::optional<Amount> amount = amount_in(text);
    if (!amount || amount->quantity == Quantity::length) {
        return false;
    }
    target.bound = amount->value;
    target.quantity = amount->quantity;
    return true;
}

constexpr std::array<std::string_view, 4> kShareNames{" of line rate", " of the line rate",
                                                      " of the wire's payload rate", " of wire"};

constexpr std::uint64_t kWhole = 1'000'000;  // ppm

// "95 % of line rate"
bool read_share(std::string_view part, Target& target) {
    const std::string text = lower_case(part);
    const auto name =
        std::ranges::find_if(kShareNames, [&text](std::string_view each) { return text.ends_with(each); });
    if (name == kShareNames.end()) {
        return false;
    }
    const auto share = parse(Quantity::fraction, text.substr(0, text.size() - name->size()));
    target.kind = TargetKind::line_rate;
    target.quantity = Quantity::fraction;
    target.bound = share.value.value_or(0);
    return share.value && target.bound > 0 && target.bound <= kWhole;
}

// "p99 < 5 us"
bool read_comparison(std::string_view part, Target& target) {
    for (const Comparison& each : kComparisons) {
        const std::size_t sign = part.find(each.sign);
        if (sign == std::string_view::npos) {
            continue;
        }
        const std::string name(trimmed(part.substr(0, sign)));
        const auto known = std::ranges::find(kShortNames, lower_case(name), &ShortName::name);
        target.kind = known == kShortNames.end() ? TargetKind::metric : TargetKind::generators;
        target.figure = known == kShortNames.end() ? name : std::string(known->figure);
        target.at_least = each.at_least;
        const bool is_name = known != kShortNames.end() || name.find('.') != std::string::npos;
        return is_name && read_bound(trimmed(part.substr(sign + each.sign.size())), target);
    }
    return false;
}

constexpr std::array<std::string_view, 2> kAbsences{"no overflow", "no RNR"};

bool read_absence(std::string_view part, Target& target) {
    const std::string text = lower_case(part);
    target.kind = text == "no rnr" ? TargetKind::no_rnr : TargetKind::no_overflow;
    target.at_least = false;
    return text == "no rnr" || text == "no overflow";
}

// What a mistyped part probably means: its name and the rest of it, or all of it.
std::optional<std::string> meant_by(std::string_view part) {
    if (const std::size_t of = lower_case(part).find(" of "); of != std::string::npos) {
        const auto name = nearest(part.substr(of), kShareNames);
        return name ? std::optional(std::string(part.substr(0, of)) + *name) : std::nullopt;
    }
    for (const Comparison& each : kComparisons) {
        const std::size_t sign = part.find(each.sign);
        if (sign != std::string_view::npos) {
            std::array<std::string_view, kShortNames.size()> names{};
            std::ranges::transform(kShortNames, names.begin(), &ShortName::name);
            const auto name = nearest(trimmed(part.substr(0, sign)), names);
            return name ? std::optional(*name + " " + std::string(part.substr(sign))) : std::nullopt;
        }
    }
    return nearest(part, kAbsences);
}

// Empty: it is one.
std::string wrong_with(std::string_view part, Target& target) {
    const bool is_share = read_share(part, target);
    if (!is_share && target.bound > kWhole) {
        return "expected at most 100 % of line rate, got " + in_quotes(part);
    }
    if (!is_share && !read_comparison(part, target) && !read_absence(part, target)) {
        const std::optional<std::string> meant = meant_by(part);
        return std::string(kExamples) + in_quotes(part) +
               (meant && *meant != part ? "; did you mean " + in_quotes(*meant) + "?" : "");
    }
    if (target.kind == TargetKind::generators && target.at_least && target.figure.starts_with("latency.")) {
        return "a latency has no lower bound, got " + in_quotes(part) + "; write \"<\"";
    }
    return {};
}

}  // namespace

bool is_rate(const Target& target) {
    return target.kind == TargetKind::line_rate ||
           (target.at_least && (target.quantity == Quantity::rate || target.quantity == Quantity::frequency));
}

Parsed<std::vector<Target>> parse_targets(std::string_view text) {
    std::vector<Target> targets;
    for (const std::string_view part : parts_of(text)) {
        Target target;
        target.text = part;
        if (std::string wrong = wrong_with(part, target); !wrong.empty()) {
            return {std::nullopt, std::move(wrong)};
        }
        targets.push_back(std::move(target));
    }
    return {std::move(targets), {}};
}

}  // namespace ndsim

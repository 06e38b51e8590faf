// SPDX-License-Identifier: Apache-2.0
#include "sim/config/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>

#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"

namespace ndsim {

namespace {

__extension__ using Wide = unsigned __int128;

using Unit = QuantityUnit;

// A common unit that we do not know, and advice.
struct WrongUnit {
    std::string_view name;
    std::string_view why;
};

// The units and limits of a quantity.
struct QuantityRow {
    std::string_view word;
    std::string_view example;
    std::uint64_t largest = 0;
    std::size_t shown_digits = 0;  // most digits shown after the point
    std::span<const Unit> units;   // smallest first
    std::span<const WrongUnit> wrong;
};

constexpr std::uint64_t kKilo = 1'000;
constexpr std::uint64_t kMega = 1'000'000;
constexpr std::uint64_t kGiga = 1'000'000'000;
constexpr std::uint64_t kTera = 1'000'000'000'000;

constexpr std::array<Unit, 5> kTimes{{{"ps", 1}, {"ns", kKilo}, {"us", kMega}, {"ms", kGiga}, {"s", kTera}}};
constexpr std::array<Unit, 5> kSizes{{{"B", 1},
                                      {"KiB", std::uint64_t{1} << 10U},
                                      {"MiB", std::uint64_t{1} << 20U},
                                      {"GiB", std::uint64_t{1} << 30U},
                                      {"TiB", std::uint64_t{1} << 40U}}};
constexpr std::array<Unit, 5> kRates{{{"bps", 1}, {"kbps", kKilo}, {"Mbps", kMega}, {"Gbps", kGiga}, {"Tbps", kTera}}};
constexpr std::array<Unit, 4> kFrequencies{{{"/s", 1}, {"k/s", kKilo}, {"M/s", kMega}, {"G/s", kGiga}}};
constexpr std::array<Unit, 2> kFractions{{{"ppm", 1}, {"%", 10'000}}};
constexpr std::array<Unit, 3> kLengths{{{"mm", 1}, {"m", kKilo}, {"km", kMega}}};

constexpr std::string_view kBinary = "KiB is 1024, MiB is 1024 KiB, GiB is 1024 MiB";
constexpr std::array<WrongUnit, 12> kWrongSizes{{{"kB", kBinary},
                                                 {"KB", kBinary},
                                                 {"MB", kBinary},
                                                 {"GB", kBinary},
                                                 {"TB", kBinary},
                                                 {"k", kBinary},
                                                 {"K", kBinary},
                                                 {"M", kBinary},
                                                 {"G", kBinary},
                                                 {"T", kBinary},
                                                 {"b", "sizes are in bytes: B"},
                                                 {"bit", "sizes are in bytes: B"}}};
constexpr std::string_view kBits = "rates are in bits per second, eight to a byte: Gbps";
constexpr std::array<WrongUnit, 6> kWrongRates{
    {{"B/s", kBits}, {"KB/s", kBits}, {"MB/s", kBits}, {"GB/s", kBits}, {"GiB/s", kBits}, {"GBps", kBits}}};
constexpr std::array<WrongUnit, 2> kWrongTimes{{{"\u00B5s", "write \"us\""}, {"\u03BCs", "write \"us\""}}};

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
constexpr std::array<QuantityRow, 6> kRows{{
    {"time", "1 us", std::numeric_limits<std::int64_t>::max(), 12, kTimes, kWrongTimes},
    {"size", "4 KiB", kAll, 3, kSizes, kWrongSizes},
    {"rate", "1 Gbps", kAll, 12, kRates, kWrongRates},
    {"frequency", "6 M/s", kAll, 12, kFrequencies, {}},
    {"fraction", "5 %", std::numeric_limits<std::uint32_t>::max(), 12, kFractions, {}},
    {"length", "2 m", kAll, 12, kLengths, {}},
}};

const QuantityRow& row_of(Quantity quantity) {
    return kRows.at(static_cast<std::size_t>(quantity));
}

constexpr std::string_view kDigits = "0123456789";

// Cuts the leading digits off `text`.
std::string_view take_digits(std::string_view& text) {
    const std::string_view digits = text.substr(0, text.find_first_not_of(kDigits));
    text.remove_prefix(digits.size());
    return digits;
}

// A decimal number and the text behind it.
struct Decimal {
    std::string_view whole;
    std::string_view fraction;  // without trailing zeros
    std::string_view unit;
};

std::optional<Decimal> split(std::string_view text) {
    Decimal decimal;
    decimal.whole = take_digits(text);
    if (decimal.whole.empty()) {
        return std::nullopt;
    }
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        decimal.fraction = take_digits(text);
        if (decimal.fraction.empty()) {
            return std::nullopt;
        }
        decimal.fraction = decimal.fraction.substr(0, decimal.fraction.find_last_not_of('0') + 1);
    }
    decimal.unit = trimmed(text);
    return decimal;
}

// The digits as a number, or nothing if it is 2^64 or more.
std::optional<std::uint64_t> number(std::string_view digits) {
    Wide value = 0;
    for (const char digit : digits) {
        value = value * 10 + static_cast<unsigned>(digit - '0');
        if (value > kAll) {
            return std::nullopt;
        }
    }
    return static_cast<std::uint64_t>(value);
}

// 0.`digits` times `scale`, or nothing if that is not a whole number. With n digits, scale times all of them must be
// divisible by 10^n; so scale * d_n is divisible by 10, and so on with the carry: numbers stay small.
std::optional<std::uint64_t> fraction_of(std::string_view digits, std::uint64_t scale) {
    std::uint64_t carry = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
        const std::uint64_t sum = carry + scale * static_cast<unsigned>(digits[i] - '0');
        if (sum % 10 != 0) {
            return std::nullopt;
        }
        carry = sum / 10;
    }
    return carry;
}

std::string unknown_unit(Quantity quantity, std::string_view unit) {
    const std::vector<std::string_view> names = unit_names(quantity);
    const std::string message = "unknown unit " + in_quotes(unit);
    for (const WrongUnit& wrong : row_of(quantity).wrong) {
        if (wrong.name == unit) {
            return message + "; " + std::string(wrong.why);
        }
    }
    if (const auto meant = nearest(unit, names)) {
        return message + "; did you mean " + in_quotes(*meant) + "?";
    }
    return message + "; known are " + join(names, ", ");
}

}  // namespace

std::span<const QuantityUnit> units_of(Quantity quantity) {
    return row_of(quantity).units;
}

std::vector<std::string_view> unit_names(Quantity quantity) {
    std::vector<std::string_view> names;
    for (const QuantityUnit& unit : units_of(quantity)) {
        names.push_back(unit.name);
    }
    return names;
}

std::string_view word(Quantity quantity) {
    return row_of(quantity).word;
}

std::string expected(Quantity quantity) {
    return "expected a number and a unit, such as " + in_quotes(row_of(quantity).example);
}

Parsed<std::uint64_t> parse(Quantity quantity, std::string_view text) {
    const QuantityRow& row = row_of(quantity);
    const std::string_view content = trimmed(text);
    const auto refused = [](std::string sentence) { return Parsed<std::uint64_t>{std::nullopt, std::move(sentence)}; };

    if (content.starts_with('-') && split(content.substr(1))) {
        return refused(in_quotes(text) + " is negative");
    }
    const std::optional<Decimal> decimal = split(content);
    if (!decimal || decimal->unit.empty()) {
        return refused(expected(quantity) + ", got " + in_quotes(text));
    }
    const auto unit = std::find_if(row.units.begin(), row.units.end(),
                                   [&](const Unit& known) { return known.name == decimal->unit; });
    if (unit == row.units.end()) {
        return refused(unknown_unit(quantity, decimal->unit));
    }
    const std::optional<std::uint64_t> part = fraction_of(decimal->fraction, unit->scale);
    if (!part) {
        return refused(in_quotes(text) + " is not a multiple of 1 " + std::string(row.units.front().name));
    }
    const std::optional<std::uint64_t> whole = number(decimal->whole);
    if (!whole || static_cast<Wide>(*whole) * unit->scale + *part > row.largest) {
        return refused(in_quotes(text) + " is too large; at most " + to_text(quantity, row.largest));
    }
    return {*whole * unit->scale + *part, {}};
}

std::string to_text(Quantity quantity, std::uint64_t value) {
    const QuantityRow& row = row_of(quantity);
    for (std::size_t i = row.units.size(); i-- > 0;) {
        const Unit& unit = row.units[i];
        if (value < unit.scale) {
            continue;
        }
        std::string number = std::to_string(value / unit.scale);
        Wide rest = value % unit.scale;
        for (std::size_t digits = 0; rest != 0 && digits < row.shown_digits; ++digits) {
            rest *= 10;
            number += digits == 0 ? "." : "";
            number += static_cast<char>('0' + static_cast<int>(rest / unit.scale));
            rest %= unit.scale;
        }
        if (rest == 0) {
            return number + " " + std::string(unit.name);
        }
    }
    return "0 " + std::string(row.units.front().name);
}

std::optional<Amount> amount_in(std::string_view text) {
    std::uint64_t count = 0;
    const char* const end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, count); read.ec == std::errc{} && read.ptr == end) {
        return Amount{count, std::nullopt};
    }
    for (const Quantity quantity : kQuantities) {
        if (const auto value = parse(quantity, text).value) {
            return Amount{*value, quantity};
        }
    }
    return std::nullopt;
}

std::string to_text(const Amount& amount) {
    return amount.quantity ? to_text(*amount.quantity, amount.value) : std::to_string(amount.value);
}

}  // namespace ndsim

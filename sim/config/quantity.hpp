// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// A value read from text, or else a sentence about the error in the text.
template <class T>
struct Parsed {
    std::optional<T> value;
    std::string error;
};

// Kinds of values written as a number and a unit. Values are whole numbers of the smallest unit.
enum class Quantity : std::uint8_t { time, size, rate, frequency, fraction, length };
inline constexpr std::array kQuantities{Quantity::time,      Quantity::size,     Quantity::rate,
                                        Quantity::frequency, Quantity::fraction, Quantity::length};

// A unit of a quantity. No two quantities have one of the same name.
struct QuantityUnit {
    std::string_view name;
    std::uint64_t scale = 1;  // in smallest units
};
// Smallest first.
[[nodiscard]] std::span<const QuantityUnit> units_of(Quantity quantity);
[[nodiscard]] std::vector<std::string_view> unit_names(Quantity quantity);

// A count, or a value of a quantity.
struct Amount {
    std::uint64_t value = 0;
    std::optional<Quantity> quantity;
};

[[nodiscard]] std::string_view word(Quantity quantity);
[[nodiscard]] std::string expected(Quantity quantity);  // expected a number and a unit, such as "1 Gbps"
// "1.5 us", "4KiB": decimal fractions are exact, and refused if finer than the smallest unit.
[[nodiscard]] Parsed<std::uint64_t> parse(Quantity quantity, std::string_view text);
// The value in the largest unit of which it has at least one; parse() gives it back exactly.
[[nodiscard]] std::string to_text(Quantity quantity, std::uint64_t value);

// "12", "350 ns": the unit tells the quantity.
[[nodiscard]] std::optional<Amount> amount_in(std::string_view text);
[[nodiscard]] std::string to_text(const Amount& amount);

// The quantity of a type. A new one gets its row in quantity.cpp, and its type a line here.
template <class T>
struct QuantityOf;

template <Quantity kQuantity, auto kMember>
struct QuantityMember;
template <Quantity kQuantity, class T, class Count, Count T::*kMember>
struct QuantityMember<kQuantity, kMember> {
    static constexpr Quantity kind = kQuantity;
    static constexpr std::uint64_t count(T value) { return value.*kMember; }
    static constexpr T make(std::uint64_t count) { return T{static_cast<Count>(count)}; }
};

template <>
struct QuantityOf<Bytes> : QuantityMember<Quantity::size, &Bytes::count> {};
template <>
struct QuantityOf<Bandwidth> : QuantityMember<Quantity::rate, &Bandwidth::bits_per_second> {};
template <>
struct QuantityOf<Frequency> : QuantityMember<Quantity::frequency, &Frequency::per_second> {};
template <>
struct QuantityOf<Fraction> : QuantityMember<Quantity::fraction, &Fraction::ppm> {};
template <>
struct QuantityOf<Length> : QuantityMember<Quantity::length, &Length::millimetres> {};
template <>
struct QuantityOf<Picoseconds> {
    static constexpr Quantity kind = Quantity::time;
    static constexpr std::uint64_t count(Picoseconds time) { return static_cast<std::uint64_t>(time.count()); }
    static constexpr Picoseconds make(std::uint64_t count) { return Picoseconds{static_cast<std::int64_t>(count)}; }
};

template <class T>
concept IsQuantity = requires {
    QuantityOf<T>::kind;
};

// parse<Picoseconds>("350 ns")
template <IsQuantity T>
[[nodiscard]] Parsed<T> parse(std::string_view text) {
    auto [count, error] = parse(QuantityOf<T>::kind, text);
    if (!count) {
        return {std::nullopt, std::move(error)};
    }
    return {QuantityOf<T>::make(*count), {}};
}

// to_text(100_Gbps) is "100 Gbps". A time must not be negative.
template <IsQuantity T>
[[nodiscard]] std::string to_text(T value) {
    return to_text(QuantityOf<T>::kind, QuantityOf<T>::count(value));
}

}  // namespace ndsim

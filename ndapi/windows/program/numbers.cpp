// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace ndsim {
namespace {

// What a letter makes of a number. Other letters are as 'd'.
struct Notation {
    char letter;
    unsigned base;           // of integers
    std::chars_format real;  // of others
    bool capitals;
    std::string_view mark;  // before the digits, if the directive is alternate
};
constexpr std::array kNotations{
    Notation{'d', 10, std::chars_format::general, false, ""},
    Notation{'o', 8, std::chars_format::general, false, "0"},
    Notation{'x', 16, std::chars_format::general, false, "0x"},
    Notation{'X', 16, std::chars_format::general, true, "0X"},
    Notation{'e', 10, std::chars_format::scientific, false, ""},
    Notation{'E', 10, std::chars_format::scientific, true, ""},
    Notation{'f', 10, std::chars_format::fixed, false, ""},
    Notation{'F', 10, std::chars_format::fixed, true, ""},
    Notation{'g', 10, std::chars_format::general, false, ""},
    Notation{'G', 10, std::chars_format::general, true, ""},
    Notation{'a', 10, std::chars_format::hex, false, "0x"},
    Notation{'A', 10, std::chars_format::hex, true, "0X"},
};

const Notation& notation_of(char letter) {
    const auto* found =
        std::find_if(kNotations.begin(), kNotations.end(), [=](const Notation& n) { return n.letter == letter; });
    return found == kNotations.end() ? kNotations.front() : *found;
}

std::string digits_of(std::uint64_t value, const Notation& notation) {
    const char* digits = notation.capitals ? "0123456789ABCDEF" : "0123456789abcdef";
    std::string text;
    for (; value != 0; value /= notation.base) {
        text += digits[value % notation.base];
    }
    std::reverse(text.begin(), text.end());
    return text;
}

std::string sign_of(const Directive& directive, bool negative) {
    return negative ? "-" : directive.plus ? "+" : directive.space ? " " : "";
}

// Sign or mark before digits, and zeros between them if that is how the width is to be filled.
std::string joined(const Directive& directive, const std::string& before, std::string digits, bool zeros) {
    const std::size_t length = before.size() + digits.size();
    const auto width = static_cast<std::size_t>(directive.width);
    if (zeros && directive.zeros && !directive.left && length < width) {
        digits.insert(0, width - length, '0');
    }
    std::string text = before + digits;
    const std::size_t size = text.size();
    return padded(directive, std::move(text), size);
}

// A precision says how many digits there are at least, and that the width is not filled with zeros.
std::string integer_text(const Directive& directive, std::uint64_t value, const std::string& sign) {
    const Notation& notation = notation_of(directive.letter);
    std::string digits = digits_of(value, notation);
    const auto least = static_cast<std::size_t>(directive.precision.value_or(1));
    if (digits.size() < least) {
        digits.insert(0, least - digits.size(), '0');
    }
    std::string before = sign;
    const bool has_mark = notation.base == 8 ? !digits.starts_with('0') : value != 0;
    if (directive.alternate && has_mark) {
        before += notation.mark;
    }
    return joined(directive, before, digits, !directive.precision);
}

std::string real_digits(const Directive& directive, double value, const Notation& notation) {
    const int precision = directive.precision.value_or(6);
    std::string digits(static_cast<std::size_t>(precision) + 400, '\0');  // the largest has 309 before the point
    char* const end = digits.data() + digits.size();
    const bool shortest = notation.real == std::chars_format::hex && !directive.precision;
    const std::to_chars_result result = shortest ? std::to_chars(digits.data(), end, value, notation.real)
                                                 : std::to_chars(digits.data(), end, value, notation.real, precision);
    digits.resize(static_cast<std::size_t>(result.ptr - digits.data()));
    return digits;
}

char capital(char character) {
    return character >= 'a' && character <= 'z' ? static_cast<char>(character - 'a' + 'A') : character;
}

}  // namespace

std::string padded(const Directive& directive, std::string text, std::size_t length) {
    const auto width = static_cast<std::size_t>(directive.width);
    if (length < width) {
        text.insert(directive.left ? text.size() : 0, width - length, ' ');
    }
    return text;
}

std::string signed_text(const Directive& directive, std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return integer_text(directive, value < 0 ? 0 - bits : bits, sign_of(directive, value < 0));
}

std::string unsigned_text(const Directive& directive, std::uint64_t value) {
    return integer_text(directive, value, "");
}

// # has no effect here.
std::string real_text(const Directive& directive, double value) {
    const Notation& notation = notation_of(directive.letter);
    std::string digits = real_digits(directive, std::abs(value), notation);
    if (notation.capitals) {
        std::transform(digits.begin(), digits.end(), digits.begin(), capital);
    }
    std::string before = sign_of(directive, std::signbit(value));
    if (std::isfinite(value)) {
        before += notation.mark;
    }
    return joined(directive, before, digits, std::isfinite(value));
}

// All digits, in capitals.
std::string pointer_text(const Directive& directive, const void* value) {
    Directive hexadecimal = directive;
    hexadecimal.letter = 'X';
    hexadecimal.precision = static_cast<int>(2 * sizeof(value));
    return integer_text(hexadecimal, reinterpret_cast<std::uintptr_t>(value), "");
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/utf8.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ndsim {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

// The forms that a character's bytes have: so many, the first one with this mark; from `least` on.
struct Form {
    unsigned bytes;
    std::uint32_t mark;
    std::uint32_t mask;  // of the mark
    std::uint32_t least;
};
constexpr std::array kForms{
    Form{1, 0x00, 0x80, 0x0},
    Form{2, 0xC0, 0xE0, 0x80},
    Form{3, 0xE0, 0xF0, 0x800},
    Form{4, 0xF0, 0xF8, 0x10000},
};

bool is_character(std::uint32_t code) {
    return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

void append(std::string& out, std::uint32_t code) {
    const auto form = std::find_if(kForms.rbegin(), kForms.rend(), [=](const Form& f) { return code >= f.least; });
    for (unsigned byte = form->bytes; byte-- > 0;) {
        const std::uint32_t bits = code >> (6 * byte);
        const bool first = byte + 1 == form->bytes;
        out += static_cast<char>(first ? form->mark | bits : 0x80U | (bits & 0x3FU));
    }
}

std::uint32_t byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

// The character that `text` begins with, taken from it.
std::uint32_t take(std::string_view& text) {
    const std::uint32_t first = byte_at(text, 0);
    const auto form =
        std::find_if(kForms.begin(), kForms.end(), [=](const Form& f) { return (first & f.mask) == f.mark; });
    std::size_t length = 1;
    std::uint32_t code = kReplacement;
    if (form != kForms.end()) {
        code = first & ~form->mask;
        while (length < form->bytes && length < text.size() && (byte_at(text, length) & 0xC0U) == 0x80U) {
            code = (code << 6) | (byte_at(text, length++) & 0x3FU);
        }
        if (length < form->bytes || code < form->least || !is_character(code)) {
            code = kReplacement;
        }
    }
    text.remove_prefix(length);
    return code;
}

}  // namespace

std::string to_utf8(std::wstring_view text) {
    std::string out;
    for (const wchar_t character : text) {
        const std::uint32_t code = std::bit_cast<std::make_unsigned_t<wchar_t>>(character);
        append(out, is_character(code) ? code : kReplacement);
    }
    return out;
}

std::wstring to_wide(std::string_view text) {
    std::wstring out;
    while (!text.empty()) {
        out += static_cast<wchar_t>(take(text));
    }
    return out;
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/directive.hpp"

#include <algorithm>
#include <array>

namespace ndsim {
namespace {

struct Flag {
    char character;
    bool Directive::*member;
};
constexpr std::array kFlags{
    Flag{'-', &Directive::left},      Flag{'+', &Directive::plus},  Flag{' ', &Directive::space},
    Flag{'#', &Directive::alternate}, Flag{'0', &Directive::zeros},
};

// A prefix stands before those that it begins with. long has 4 bytes, and I is the size of a pointer.
constexpr std::array kPrefixes{
    SizePrefix{"I64", 8, Characters::by_letter}, SizePrefix{"I32", 4, Characters::by_letter},
    SizePrefix{"I", 8, Characters::by_letter},   SizePrefix{"ll", 8, Characters::wide},
    SizePrefix{"l", 4, Characters::wide},        SizePrefix{"hh", 1, Characters::narrow},
    SizePrefix{"h", 2, Characters::narrow},      SizePrefix{"w", 4, Characters::wide},
    SizePrefix{"j", 8, Characters::by_letter},   SizePrefix{"z", 8, Characters::by_letter},
    SizePrefix{"t", 8, Characters::by_letter},   SizePrefix{"L", 8, Characters::by_letter},
};

bool take(std::string_view& text, char character) {
    if (!text.starts_with(character)) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

// 0 if there is none.
int take_number(std::string_view& text) {
    constexpr int kMost = 100'000'000;
    int number = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
        number = std::min(kMost, number * 10 + (text.front() - '0'));
        text.remove_prefix(1);
    }
    return number;
}

void take_flags(std::string_view& text, Directive& directive) {
    for (;;) {
        const auto* flag =
            std::find_if(kFlags.begin(), kFlags.end(), [&](const Flag& f) { return text.starts_with(f.character); });
        if (flag == kFlags.end()) {
            return;
        }
        directive.*flag->member = true;
        text.remove_prefix(1);
    }
}

void take_prefix(std::string_view& text, Directive& directive) {
    const auto* prefix =
        std::find_if(kPrefixes.begin(), kPrefixes.end(), [&](const SizePrefix& p) { return text.starts_with(p.text); });
    if (prefix != kPrefixes.end()) {
        directive.size = *prefix;
        text.remove_prefix(prefix->text.size());
    }
}

}  // namespace

std::optional<Directive> take_directive(std::string_view& text) {
    Directive directive;
    take_flags(text, directive);
    directive.width_is_argument = take(text, '*');
    directive.width = take_number(text);
    if (take(text, '.')) {
        directive.precision_is_argument = take(text, '*');
        directive.precision = take_number(text);
    }
    take_prefix(text, directive);
    if (text.empty()) {
        return std::nullopt;
    }
    directive.letter = text.front();
    text.remove_prefix(1);
    return directive;
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
// A directive of a format, such as %-08I64x, as Windows' C library reads it (win.md 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ndsim {

// Of the characters of a text; by the letter: s and c have those of the format, S and C the others.
enum class Characters : std::uint8_t { by_letter, narrow, wide };

struct SizePrefix {
    std::string_view text;
    unsigned bytes = 4;  // of an integer
    Characters characters = Characters::by_letter;
};

struct Directive {
    bool left = false;       // -
    bool plus = false;       // +
    bool space = false;      // ' '
    bool alternate = false;  // #
    bool zeros = false;      // 0
    bool width_is_argument = false;
    bool precision_is_argument = false;
    int width = 0;
    std::optional<int> precision;
    SizePrefix size;
    char letter = '\0';
};

// The directive that `text` begins with after its %, taken from it, whatever its letter; nothing if `text` ends in it.
[[nodiscard]] std::optional<Directive> take_directive(std::string_view& text);

}  // namespace ndsim

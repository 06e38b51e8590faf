// SPDX-License-Identifier: Apache-2.0
// Putting a text into a buffer of bounded size: the four ways in which Windows' functions differ.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ndsim {

// What becomes of a text that is too long, and what the function returns then.
enum class Fit : std::uint8_t {
    cut,         // as much as there is room for, and a terminator; the length of all of it
    cut_failed,  // the same; -1
    raw,         // as much as there is room for, and a terminator only if there is room for that, too; -1
    none,        // an empty text; -1
};

// Returns the text's length if it fits.
template <class Character>
int put(Character* buffer, std::size_t size, std::basic_string_view<Character> text, Fit fit) {
    const std::size_t length = text.size();
    if (length < size) {
        *std::copy(text.begin(), text.end(), buffer) = Character{};
        return static_cast<int>(length);
    }
    if (fit == Fit::raw) {
        std::copy_n(text.begin(), size, buffer);
        return length == size ? static_cast<int>(length) : -1;
    }
    if (size > 0) {
        const std::size_t kept = fit == Fit::none ? 0 : size - 1;
        *std::copy_n(text.begin(), kept, buffer) = Character{};
    }
    return fit == Fit::cut ? static_cast<int>(length) : -1;
}

// At most `count` characters, or as many as there is room for if that is _TRUNCATE.
template <class Character>
int put_some(Character* buffer, std::size_t size, std::size_t count, std::basic_string_view<Character> text) {
    constexpr auto kTruncate = static_cast<std::size_t>(-1);
    if (count == kTruncate) {
        return put(buffer, size, text, Fit::cut_failed);
    }
    const int put_length = put(buffer, size, text.substr(0, count), Fit::none);
    return text.size() > count ? -1 : put_length;
}

}  // namespace ndsim

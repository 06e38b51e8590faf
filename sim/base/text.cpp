// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text.hpp"

#include <algorithm>
#include <cstddef>

namespace ndsim {

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    std::size_t length = std::min(text.size(), kLongest);
    while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
        --length;  // not inside a UTF-8 character
    }
    std::string shown = "\"";
    for (const char c : text.substr(0, length)) {
        shown += static_cast<unsigned char>(c) < 0x20 || c == '\x7F' ? '?' : c;
    }
    return shown + (length < text.size() ? "...\"" : "\"");
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return lower;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
    return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

}  // namespace ndsim

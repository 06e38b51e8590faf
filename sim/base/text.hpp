// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ndsim {

// The text in double quotes as a message shows it: on one line, and not too long.
[[nodiscard]] std::string in_quotes(std::string_view text);

[[nodiscard]] std::string lower_case(std::string_view text);  // ASCII letters only

[[nodiscard]] std::string_view trimmed(std::string_view text);  // without surrounding blanks and line ends

template <class Parts>
[[nodiscard]] std::string join(const Parts& parts, std::string_view separator) {
    std::string text;
    bool first = true;
    for (const auto& part : parts) {
        if (!first) {
            text += separator;
        }
        first = false;
        text += part;
    }
    return text;
}

}  // namespace ndsim

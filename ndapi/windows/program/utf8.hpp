// SPDX-License-Identifier: Apache-2.0
// Between wide texts, a character in each wchar_t, and UTF-8, which is what leaves a program and reaches it.
#pragma once

#include <string>
#include <string_view>

namespace ndsim {

// What is no character becomes U+FFFD.
[[nodiscard]] std::string to_utf8(std::wstring_view text);
[[nodiscard]] std::wstring to_wide(std::string_view text);

}  // namespace ndsim

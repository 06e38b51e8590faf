// SPDX-License-Identifier: Apache-2.0
// The printf family's formats with Windows' rules: a long has 4 bytes, I64 says 8 and I as many as a pointer; s and c
// mean characters as the format has them, S and C the others (win.md 1). What is no directive is copied without its %.
#pragma once

#include <cstdarg>
#include <string>

namespace ndsim {

// In UTF-8, but for narrow texts, which are what they are.
[[nodiscard]] std::string formatted(const char* format, std::va_list list);
[[nodiscard]] std::string formatted(const wchar_t* format, std::va_list list);

}  // namespace ndsim

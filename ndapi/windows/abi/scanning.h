// SPDX-License-Identifier: Apache-2.0
// Windows' own members of the scanf family, and of those that make texts of numbers. For C++ and C.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "ndapi/windows/abi/errno_type.h"

#ifdef __cplusplus
extern "C" {
#endif

// Each text, set and character has its size, an unsigned, after it in the list. A text that does not fit is cut off.
// %ld is 32 bits wide and %I64d 64, as on Windows, but not with sscanf and swscanf.
int sscanf_s(const char* text, const char* format, ...);
int swscanf_s(const wchar_t* text, const wchar_t* format, ...);

// EINVAL if the base is not 2 to 36, ERANGE and an empty text if it does not fit. Only base 10 has signs.
errno_t _itoa_s(int value, char* buffer, size_t size, int base);
errno_t _ltoa_s(int32_t value, char* buffer, size_t size, int base);
errno_t _ultoa_s(uint32_t value, char* buffer, size_t size, int base);
errno_t _i64toa_s(int64_t value, char* buffer, size_t size, int base);
errno_t _ui64toa_s(uint64_t value, char* buffer, size_t size, int base);
errno_t _itow_s(int value, wchar_t* buffer, size_t size, int base);
errno_t _ltow_s(int32_t value, wchar_t* buffer, size_t size, int base);
errno_t _ultow_s(uint32_t value, wchar_t* buffer, size_t size, int base);
errno_t _i64tow_s(int64_t value, wchar_t* buffer, size_t size, int base);
errno_t _ui64tow_s(uint64_t value, wchar_t* buffer, size_t size, int base);

// The same numbers in each run of a program.
errno_t rand_s(unsigned* value);

#ifdef __cplusplus
}

extern "C++" {

// A buffer that is an array has its size with it.
template <size_t size>
errno_t _itoa_s(int value, char (&buffer)[size], int base) {
    return _itoa_s(value, static_cast<char*>(buffer), size, base);
}
template <size_t size>
errno_t _ltoa_s(int32_t value, char (&buffer)[size], int base) {
    return _ltoa_s(value, static_cast<char*>(buffer), size, base);
}
template <size_t size>
errno_t _ultoa_s(uint32_t value, char (&buffer)[size], int base) {
    return _ultoa_s(value, static_cast<char*>(buffer), size, base);
}
template <size_t size>
errno_t _itow_s(int value, wchar_t (&buffer)[size], int base) {
    return _itow_s(value, static_cast<wchar_t*>(buffer), size, base);
}
template <size_t size>
errno_t _ultow_s(uint32_t value, wchar_t (&buffer)[size], int base) {
    return _ultow_s(value, static_cast<wchar_t*>(buffer), size, base);
}
}
#endif

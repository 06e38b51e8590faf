// SPDX-License-Identifier: Apache-2.0
// Windows' own functions on strings, which its C headers declare. Numbers have Windows' widths. For C++ and C.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "ndapi/windows/abi/errno_type.h"

#ifdef __cplusplus
extern "C" {
#endif

// Without regard to the case of the letters A to Z.
int _wcsicmp(const wchar_t* one, const wchar_t* other);
int _wcsnicmp(const wchar_t* one, const wchar_t* other, size_t count);
int _stricmp(const char* one, const char* other);
int _strnicmp(const char* one, const char* other, size_t count);

// The number that a text begins with, the nearest that fits, or 0.
int _wtoi(const wchar_t* text);
int32_t _wtol(const wchar_t* text);
int64_t _wtoi64(const wchar_t* text);
int64_t _atoi64(const char* text);

// Copy or append, at most `count` characters where there is one. If `size` is too small the destination becomes empty
// and the result is ERANGE.
errno_t strcpy_s(char* destination, size_t size, const char* source);
errno_t strcat_s(char* destination, size_t size, const char* source);
errno_t strncpy_s(char* destination, size_t size, const char* source, size_t count);
errno_t wcscpy_s(wchar_t* destination, size_t size, const wchar_t* source);
errno_t wcscat_s(wchar_t* destination, size_t size, const wchar_t* source);
errno_t wcsncpy_s(wchar_t* destination, size_t size, const wchar_t* source, size_t count);
errno_t memmove_s(void* destination, size_t size, const void* source, size_t count);
errno_t memcpy_s(void* destination, size_t size, const void* source, size_t count);

// The same as the C library's of nearly the same name.
char* strtok_s(char* text, const char* separators, char** rest);
wchar_t* wcstok_s(wchar_t* text, const wchar_t* separators, wchar_t** rest);
size_t strnlen_s(const char* text, size_t most);
size_t wcsnlen_s(const wchar_t* text, size_t most);
int64_t _strtoi64(const char* text, char** end, int base);
uint64_t _strtoui64(const char* text, char** end, int base);
int64_t _wcstoi64(const wchar_t* text, wchar_t** end, int base);
uint64_t _wcstoui64(const wchar_t* text, wchar_t** end, int base);
double _wtof(const wchar_t* text);
char* _strdup(const char* text);
wchar_t* _wcsdup(const wchar_t* text);

// The letters A to Z, in place. EINVAL and an empty text if there is no terminator within `size`.
errno_t _strupr_s(char* text, size_t size);
errno_t _strlwr_s(char* text, size_t size);
errno_t _wcsupr_s(wchar_t* text, size_t size);
errno_t _wcslwr_s(wchar_t* text, size_t size);

#ifdef __cplusplus
}

extern "C++" {

// A destination that is an array has its size with it.
template <size_t size>
errno_t strcpy_s(char (&destination)[size], const char* source) {
    return strcpy_s(static_cast<char*>(destination), size, source);
}
template <size_t size>
errno_t strcat_s(char (&destination)[size], const char* source) {
    return strcat_s(static_cast<char*>(destination), size, source);
}
template <size_t size>
errno_t strncpy_s(char (&destination)[size], const char* source, size_t count) {
    return strncpy_s(static_cast<char*>(destination), size, source, count);
}
template <size_t size>
errno_t wcscpy_s(wchar_t (&destination)[size], const wchar_t* source) {
    return wcscpy_s(static_cast<wchar_t*>(destination), size, source);
}
template <size_t size>
errno_t wcscat_s(wchar_t (&destination)[size], const wchar_t* source) {
    return wcscat_s(static_cast<wchar_t*>(destination), size, source);
}
template <size_t size>
errno_t wcsncpy_s(wchar_t (&destination)[size], const wchar_t* source, size_t count) {
    return wcsncpy_s(static_cast<wchar_t*>(destination), size, source, count);
}
template <size_t size>
errno_t _strupr_s(char (&text)[size]) {
    return _strupr_s(static_cast<char*>(text), size);
}
template <size_t size>
errno_t _strlwr_s(char (&text)[size]) {
    return _strlwr_s(static_cast<char*>(text), size);
}
template <size_t size>
errno_t _wcsupr_s(wchar_t (&text)[size]) {
    return _wcsupr_s(static_cast<wchar_t*>(text), size);
}
template <size_t size>
errno_t _wcslwr_s(wchar_t (&text)[size]) {
    return _wcslwr_s(static_cast<wchar_t*>(text), size);
}
}
#endif

// SPDX-License-Identifier: Apache-2.0
// Windows' own members of the printf family and of the functions on streams; those of standard C are declared by its
// headers. All of them keep Windows' rules of formatting. For C++ and C.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

#include "ndapi/windows/abi/errno_type.h"

#ifdef __cplusplus
extern "C" {
#endif

int printf_s(const char* format, ...);
int fprintf_s(FILE* stream, const char* format, ...);
int wprintf_s(const wchar_t* format, ...);
int fwprintf_s(FILE* stream, const wchar_t* format, ...);
int _putws(const wchar_t* text);

// What does not fit is an error, and leaves an empty text.
int sprintf_s(char* buffer, size_t size, const char* format, ...);
int vsprintf_s(char* buffer, size_t size, const char* format, va_list list);
int swprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, ...);
int vswprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, va_list list);

// What does not fit is cut off, and there is a terminator only if there is room for it.
int _snprintf(char* buffer, size_t size, const char* format, ...);
int _vsnprintf(char* buffer, size_t size, const char* format, va_list list);
int _snwprintf(wchar_t* buffer, size_t size, const wchar_t* format, ...);
int _vsnwprintf(wchar_t* buffer, size_t size, const wchar_t* format, va_list list);

// At most `count` characters; with _TRUNCATE as many as there is room for. Always with a terminator.
int _snprintf_s(char* buffer, size_t size, size_t count, const char* format, ...);
int _vsnprintf_s(char* buffer, size_t size, size_t count, const char* format, va_list list);
int _snwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, ...);
int _vsnwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, va_list list);

// How long the text would be.
int _vscprintf(const char* format, va_list list);
int _vscwprintf(const wchar_t* format, va_list list);

errno_t fopen_s(FILE** file, const char* path, const char* mode);
FILE* _wfopen(const wchar_t* path, const wchar_t* mode);
errno_t _wfopen_s(FILE** file, const wchar_t* path, const wchar_t* mode);
// Of stdout or stderr: what this program prints there goes to the file from then on.
FILE* _wfreopen(const wchar_t* path, const wchar_t* mode, FILE* stream);
errno_t _wfreopen_s(FILE** file, const wchar_t* path, const wchar_t* mode, FILE* stream);
int _fcloseall(void);
int _flushall(void);

#ifdef __cplusplus
}

extern "C++" {

// A buffer that is an array has its size with it.
template <size_t size, class... Values>
int sprintf_s(char (&buffer)[size], const char* format, Values... values) {
    return sprintf_s(static_cast<char*>(buffer), size, format, values...);
}
template <size_t size, class... Values>
int swprintf_s(wchar_t (&buffer)[size], const wchar_t* format, Values... values) {
    return swprintf_s(static_cast<wchar_t*>(buffer), size, format, values...);
}
template <size_t size, class... Values>
int _snprintf_s(char (&buffer)[size], size_t count, const char* format, Values... values) {
    return _snprintf_s(static_cast<char*>(buffer), size, count, format, values...);
}
template <size_t size, class... Values>
int _snwprintf_s(wchar_t (&buffer)[size], size_t count, const wchar_t* format, Values... values) {
    return _snwprintf_s(static_cast<wchar_t*>(buffer), size, count, format, values...);
}
}
#endif

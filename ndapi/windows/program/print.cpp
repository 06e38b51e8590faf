// SPDX-License-Identifier: Apache-2.0
// The printf family on streams.
#include <cstdarg>
#include <cstdio>
#include <cwchar>
#include <string>

#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/program/format.hpp"
#include "ndapi/windows/program/streams.hpp"
#include "ndapi/windows/program/utf8.hpp"

extern "C" {

int vfprintf(FILE* stream, const char* format, va_list list) {
    const std::string text = ndsim::formatted(format, list);
    return ndsim::emit(stream, text) ? static_cast<int>(text.size()) : -1;
}
int vprintf(const char* format, va_list list) {
    return vfprintf(stdout, format, list);
}
int fprintf(FILE* stream, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}
int fprintf_s(FILE* stream, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}
int printf(const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vprintf(format, list);
    va_end(list);
    return length;
}
int printf_s(const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vprintf(format, list);
    va_end(list);
    return length;
}

// The length of a wide text is that in wide characters.
int vfwprintf(FILE* stream, const wchar_t* format, va_list list) {
    const std::string text = ndsim::formatted(format, list);
    return ndsim::emit(stream, text) ? static_cast<int>(ndsim::to_wide(text).size()) : -1;
}
int vwprintf(const wchar_t* format, va_list list) {
    return vfwprintf(stdout, format, list);
}
int fwprintf(FILE* stream, const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vfwprintf(stream, format, list);
    va_end(list);
    return length;
}
int fwprintf_s(FILE* stream, const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vfwprintf(stream, format, list);
    va_end(list);
    return length;
}
int wprintf(const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vwprintf(format, list);
    va_end(list);
    return length;
}
int wprintf_s(const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vwprintf(format, list);
    va_end(list);
    return length;
}
}

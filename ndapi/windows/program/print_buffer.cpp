// SPDX-License-Identifier: Apache-2.0
// The printf family on narrow buffers.
#include <cstdarg>
#include <cstdio>

#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/program/fitted.hpp"
#include "ndapi/windows/program/format.hpp"

namespace {

int print(char* buffer, std::size_t size, const char* format, va_list list, ndsim::Fit fit) {
    return ndsim::put<char>(buffer, size, ndsim::formatted(format, list), fit);
}

}  // namespace

extern "C" {

int vsprintf(char* buffer, const char* format, va_list list) noexcept {
    return print(buffer, PTRDIFF_MAX, format, list, ndsim::Fit::cut);
}
int sprintf(char* buffer, const char* format, ...) noexcept {
    va_list list;
    va_start(list, format);
    const int length = vsprintf(buffer, format, list);
    va_end(list);
    return length;
}

int vsnprintf(char* buffer, size_t size, const char* format, va_list list) noexcept {
    return print(buffer, size, format, list, ndsim::Fit::cut);
}
int snprintf(char* buffer, size_t size, const char* format, ...) noexcept {
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(buffer, size, format, list);
    va_end(list);
    return length;
}

int vsprintf_s(char* buffer, size_t size, const char* format, va_list list) {
    return print(buffer, size, format, list, ndsim::Fit::none);
}
int sprintf_s(char* buffer, size_t size, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vsprintf_s(buffer, size, format, list);
    va_end(list);
    return length;
}

int _vsnprintf(char* buffer, size_t size, const char* format, va_list list) {
    return print(buffer, size, format, list, ndsim::Fit::raw);
}
int _snprintf(char* buffer, size_t size, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = _vsnprintf(buffer, size, format, list);
    va_end(list);
    return length;
}

int _vsnprintf_s(char* buffer, size_t size, size_t count, const char* format, va_list list) {
    return ndsim::put_some<char>(buffer, size, count, ndsim::formatted(format, list));
}
int _snprintf_s(char* buffer, size_t size, size_t count, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = _vsnprintf_s(buffer, size, count, format, list);
    va_end(list);
    return length;
}

int _vscprintf(const char* format, va_list list) {
    return static_cast<int>(ndsim::formatted(format, list).size());
}
}

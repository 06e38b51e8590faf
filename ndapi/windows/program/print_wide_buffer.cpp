// SPDX-License-Identifier: Apache-2.0
// The printf family on wide buffers.
#include <cstdarg>
#include <cwchar>
#include <string>

#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/program/fitted.hpp"
#include "ndapi/windows/program/format.hpp"
#include "ndapi/windows/program/utf8.hpp"

namespace {

std::wstring formatted(const wchar_t* format, va_list list) {
    return ndsim::to_wide(ndsim::formatted(format, list));
}

int print(wchar_t* buffer, std::size_t size, const wchar_t* format, va_list list, ndsim::Fit fit) {
    return ndsim::put<wchar_t>(buffer, size, formatted(format, list), fit);
}

}  // namespace

extern "C" {

int vswprintf(wchar_t* buffer, size_t size, const wchar_t* format, va_list list) noexcept {
    return print(buffer, size, format, list, ndsim::Fit::cut_failed);
}
int swprintf(wchar_t* buffer, size_t size, const wchar_t* format, ...) noexcept {
    va_list list;
    va_start(list, format);
    const int length = vswprintf(buffer, size, format, list);
    va_end(list);
    return length;
}

int vswprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, va_list list) {
    return print(buffer, size, format, list, ndsim::Fit::none);
}
int swprintf_s(wchar_t* buffer, size_t size, const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vswprintf_s(buffer, size, format, list);
    va_end(list);
    return length;
}

int _vsnwprintf(wchar_t* buffer, size_t size, const wchar_t* format, va_list list) {
    return print(buffer, size, format, list, ndsim::Fit::raw);
}
int _snwprintf(wchar_t* buffer, size_t size, const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = _vsnwprintf(buffer, size, format, list);
    va_end(list);
    return length;
}

int _vsnwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, va_list list) {
    return ndsim::put_some<wchar_t>(buffer, size, count, formatted(format, list));
}
int _snwprintf_s(wchar_t* buffer, size_t size, size_t count, const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int length = _vsnwprintf_s(buffer, size, count, format, list);
    va_end(list);
    return length;
}

int _vscwprintf(const wchar_t* format, va_list list) {
    return static_cast<int>(formatted(format, list).size());
}
}

// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/system_text.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <cwchar>
#include <string>

#include "ndapi/windows/abi/text.h"
#include "ndapi/windows/program/format.hpp"
#include "ndapi/windows/program/utf8.hpp"

namespace {

// With a terminator, of which there is one in any case.
template <class Character>
std::size_t put_cut(Character* destination, std::size_t size, const Character* source, std::size_t length) {
    const std::size_t kept = std::min(length, size - 1);
    *std::copy_n(source, kept, destination) = Character{};
    return kept;
}

template <class Character>
Character* copied(Character* destination, const Character* source, int size) {
    if (size > 0) {
        const std::basic_string<Character> text = source;
        put_cut(destination, static_cast<std::size_t>(size), text.data(), text.size());
    }
    return destination;
}

// wsprintf's buffer has no size, so Windows bounds what it puts there.
template <class Character>
int put_formatted(Character* buffer, const std::basic_string<Character>& text) {
    return static_cast<int>(put_cut(buffer, 1024, text.data(), text.size()));
}

}  // namespace

int lstrlenA(LPCSTR text) {
    return text == nullptr ? 0 : static_cast<int>(strlen(text));
}
int lstrlenW(LPCWSTR text) {
    return text == nullptr ? 0 : static_cast<int>(wcslen(text));
}
int lstrcmpA(LPCSTR one, LPCSTR other) {
    return strcmp(one, other);
}
int lstrcmpW(LPCWSTR one, LPCWSTR other) {
    return wcscmp(one, other);
}
int lstrcmpiA(LPCSTR one, LPCSTR other) {
    return _stricmp(one, other);
}
int lstrcmpiW(LPCWSTR one, LPCWSTR other) {
    return _wcsicmp(one, other);
}
LPSTR lstrcpynA(LPSTR destination, LPCSTR source, int size) {
    return copied(destination, source, size);
}
LPWSTR lstrcpynW(LPWSTR destination, LPCWSTR source, int size) {
    return copied(destination, source, size);
}

int wvsprintfA(LPSTR buffer, LPCSTR format, va_list list) {
    return put_formatted(buffer, ndsim::formatted(format, list));
}
int wvsprintfW(LPWSTR buffer, LPCWSTR format, va_list list) {
    return put_formatted(buffer, ndsim::to_wide(ndsim::formatted(format, list)));
}
int wsprintfA(LPSTR buffer, LPCSTR format, ...) {
    va_list list;
    va_start(list, format);
    const int length = wvsprintfA(buffer, format, list);
    va_end(list);
    return length;
}
int wsprintfW(LPWSTR buffer, LPCWSTR format, ...) {
    va_list list;
    va_start(list, format);
    const int length = wvsprintfW(buffer, format, list);
    va_end(list);
    return length;
}

// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/text.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cwchar>
#include <limits>
#include <type_traits>

namespace {

constexpr errno_t kCutOff = 80;                           // STRUNCATE
constexpr auto kTruncate = static_cast<std::size_t>(-1);  // as many as there is room for
constexpr std::size_t kAll = kTruncate - 1;

template <class Character>
constexpr int folded(Character character) {
    const auto code = static_cast<int>(static_cast<std::make_unsigned_t<Character>>(character));
    return code >= 'A' && code <= 'Z' ? code - 'A' + 'a' : code;
}

// Negative, 0 or positive.
template <class Character>
int compare(const Character* one, const Character* other, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const int difference = folded(one[i]) - folded(other[i]);
        if (difference != 0 || one[i] == Character{}) {
            return difference;
        }
    }
    return 0;
}

template <class Number, class Character>
Number number_at(const Character* text) {
    using Limits = std::numeric_limits<Number>;
    while (*text == ' ' || (*text >= '\t' && *text <= '\r')) {
        ++text;
    }
    const bool negative = *text == '-';
    if (*text == '-' || *text == '+') {
        ++text;
    }
    Number number = 0;  // below zero, where there is room for one more
    for (; *text >= '0' && *text <= '9'; ++text) {
        const auto digit = static_cast<Number>(*text - '0');
        if (number < (Limits::min() + digit) / 10) {
            return negative ? Limits::min() : Limits::max();
        }
        number = static_cast<Number>(number * 10 - digit);
    }
    if (negative) {
        return number;
    }
    return number == Limits::min() ? Limits::max() : static_cast<Number>(-number);
}

// What is at `destination` from `at` on becomes `source`, of which `most` characters count.
template <class Character>
errno_t copy(Character* destination, std::size_t size, std::size_t at, const Character* source, std::size_t most) {
    if (destination == nullptr || size == 0) {
        return EINVAL;
    }
    if (source == nullptr || at >= size) {
        destination[0] = Character{};
        return EINVAL;
    }
    const std::size_t room = size - at - 1;
    std::size_t length = 0;
    while (length < most && source[length] != Character{}) {
        ++length;
    }
    const bool fits = length <= room;
    if (!fits && most != kTruncate) {
        destination[0] = Character{};
        return ERANGE;
    }
    *std::copy_n(source, std::min(length, room), destination + at) = Character{};
    return fits ? 0 : kCutOff;
}

template <class Character>
std::size_t length_of(const Character* text, std::size_t size) {
    return text == nullptr ? 0 : static_cast<std::size_t>(std::find(text, text + size, Character{}) - text);
}

// Letters from `first` on to those from `other` on.
template <class Character>
errno_t change_case(Character* text, std::size_t size, char first, char other) {
    const std::size_t length = text == nullptr ? size : length_of(text, size);
    if (length == size) {
        if (text != nullptr && size > 0) {
            text[0] = Character{};
        }
        return EINVAL;
    }
    std::transform(text, text + length, text, [=](Character each) {
        return each >= first && each < first + 26 ? static_cast<Character>(each - first + other) : each;
    });
    return 0;
}

}  // namespace

int _wcsicmp(const wchar_t* one, const wchar_t* other) {
    return compare(one, other, kAll);
}
int _wcsnicmp(const wchar_t* one, const wchar_t* other, size_t count) {
    return compare(one, other, count);
}
int _stricmp(const char* one, const char* other) {
    return compare(one, other, kAll);
}
int _strnicmp(const char* one, const char* other, size_t count) {
    return compare(one, other, count);
}

int _wtoi(const wchar_t* text) {
    return number_at<int>(text);
}
int32_t _wtol(const wchar_t* text) {
    return number_at<int32_t>(text);
}
int64_t _wtoi64(const wchar_t* text) {
    return number_at<int64_t>(text);
}
int64_t _atoi64(const char* text) {
    return number_at<int64_t>(text);
}

errno_t strcpy_s(char* destination, size_t size, const char* source) {
    return copy(destination, size, 0, source, kAll);
}
errno_t strcat_s(char* destination, size_t size, const char* source) {
    return copy(destination, size, length_of(destination, size), source, kAll);
}
errno_t strncpy_s(char* destination, size_t size, const char* source, size_t count) {
    return copy(destination, size, 0, source, count);
}
errno_t wcscpy_s(wchar_t* destination, size_t size, const wchar_t* source) {
    return copy(destination, size, 0, source, kAll);
}
errno_t wcscat_s(wchar_t* destination, size_t size, const wchar_t* source) {
    return copy(destination, size, length_of(destination, size), source, kAll);
}
errno_t wcsncpy_s(wchar_t* destination, size_t size, const wchar_t* source, size_t count) {
    return copy(destination, size, 0, source, count);
}

errno_t memcpy_s(void* destination, size_t size, const void* source, size_t count) {
    if (count == 0) {
        return 0;
    }
    if (destination == nullptr) {
        return EINVAL;
    }
    if (source == nullptr || count > size) {
        std::fill_n(static_cast<unsigned char*>(destination), size, static_cast<unsigned char>(0));
        return source == nullptr ? EINVAL : ERANGE;
    }
    memcpy(destination, source, count);
    return 0;
}

errno_t memmove_s(void* destination, size_t size, const void* source, size_t count) {
    if (count != 0 && (destination == nullptr || source == nullptr)) {
        return EINVAL;
    }
    if (count > size) {
        return ERANGE;
    }
    memmove(destination, source, count);
    return 0;
}

char* strtok_s(char* text, const char* separators, char** rest) {
    return ::strtok_r(text, separators, rest);
}
wchar_t* wcstok_s(wchar_t* text, const wchar_t* separators, wchar_t** rest) {
    return ::wcstok(text, separators, rest);
}
size_t strnlen_s(const char* text, size_t most) {
    return length_of(text, most);
}
size_t wcsnlen_s(const wchar_t* text, size_t most) {
    return length_of(text, most);
}
int64_t _strtoi64(const char* text, char** end, int base) {
    return std::strtoll(text, end, base);
}
uint64_t _strtoui64(const char* text, char** end, int base) {
    return std::strtoull(text, end, base);
}
int64_t _wcstoi64(const wchar_t* text, wchar_t** end, int base) {
    return std::wcstoll(text, end, base);
}
uint64_t _wcstoui64(const wchar_t* text, wchar_t** end, int base) {
    return std::wcstoull(text, end, base);
}
double _wtof(const wchar_t* text) {
    return std::wcstod(text, nullptr);
}
char* _strdup(const char* text) {
    return ::strdup(text);
}
wchar_t* _wcsdup(const wchar_t* text) {
    return ::wcsdup(text);
}
errno_t _strupr_s(char* text, size_t size) {
    return change_case(text, size, 'a', 'A');
}
errno_t _strlwr_s(char* text, size_t size) {
    return change_case(text, size, 'A', 'a');
}
errno_t _wcsupr_s(wchar_t* text, size_t size) {
    return change_case(text, size, 'a', 'A');
}
errno_t _wcslwr_s(wchar_t* text, size_t size) {
    return change_case(text, size, 'A', 'a');
}

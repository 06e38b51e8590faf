// SPDX-License-Identifier: Apache-2.0
// Texts of numbers, and numbers by chance.
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <random>

#include "ndapi/windows/abi/scanning.h"
#include "ndapi/windows/program/instance.hpp"

namespace {

template <class Character, class Number>
errno_t put(Number value, Character* buffer, std::size_t size, int base) {
    if (buffer == nullptr || size == 0) {
        return EINVAL;
    }
    *buffer = Character{};
    if (base < 2 || base > 36) {
        return EINVAL;
    }
    std::array<char, 72> text;
    const auto bits = static_cast<std::make_unsigned_t<Number>>(value);
    const std::to_chars_result end = base == 10 ? std::to_chars(text.begin(), text.end(), value)
                                                : std::to_chars(text.begin(), text.end(), bits, base);
    if (static_cast<std::size_t>(end.ptr - text.data()) >= size) {
        return ERANGE;
    }
    *std::copy(text.data(), end.ptr, buffer) = Character{};
    return 0;
}

}  // namespace

errno_t _itoa_s(int value, char* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _ltoa_s(LONG value, char* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _ultoa_s(ULONG value, char* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _i64toa_s(LONGLONG value, char* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _ui64toa_s(ULONGLONG value, char* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _itow_s(int value, wchar_t* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _ltow_s(LONG value, wchar_t* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _ultow_s(ULONG value, wchar_t* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _i64tow_s(LONGLONG value, wchar_t* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}
errno_t _ui64tow_s(ULONGLONG value, wchar_t* buffer, std::size_t size, int base) {
    return put(value, buffer, size, base);
}

// SplitMix64.
errno_t rand_s(unsigned* value) {
    std::uint64_t mixed = ndsim::instance().random += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    *value = static_cast<unsigned>((mixed ^ (mixed >> 31)) >> 32);
    return 0;
}
// The numbers of C++ come from the same stream, so that each run has the same.
std::random_device::result_type std::random_device::_M_getval() {
    unsigned value = 0;
    rand_s(&value);
    return value;
}

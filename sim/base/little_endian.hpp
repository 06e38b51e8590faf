// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>

namespace ndsim {

// The byte order of the hardware interface.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T to_little_endian(T value) {
    if constexpr (std::endian::native == std::endian::big) {
        T swapped = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            swapped = static_cast<T>((swapped << 8U) | ((value >> (8U * i)) & 0xFFU));
        }
        return swapped;
    } else {
        return value;
    }
}

template <std::unsigned_integral T>
void store_le(std::byte* at, T value) {
    const T ordered = to_little_endian(value);
    std::memcpy(at, &ordered, sizeof ordered);
}

template <std::unsigned_integral T>
[[nodiscard]] T load_le(const std::byte* at) {
    T value{};
    std::memcpy(&value, at, sizeof value);
    return to_little_endian(value);
}

}  // namespace ndsim

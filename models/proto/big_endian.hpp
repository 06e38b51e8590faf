// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace ndsim {

// The byte order of packets.
template <std::unsigned_integral T>
void store_be(std::byte* at, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        at[i] = static_cast<std::byte>((value >> (8U * (sizeof(T) - 1 - i))) & 0xFFU);
    }
}

template <std::unsigned_integral T>
[[nodiscard]] T load_be(const std::byte* at) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value = static_cast<T>((std::uint64_t{value} << 8U) | std::to_integer<std::uint64_t>(at[i]));
    }
    return value;
}

}  // namespace ndsim

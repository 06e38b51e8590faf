// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace ndsim {

// The time base: whole picoseconds, 2^63 of them are 106 days. std::chrono's literals (500ns, 2us) convert to it.
using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;

// A number of bytes: a size, a length or an offset.
struct Bytes {
    std::uint64_t count = 0;

    friend constexpr auto operator<=>(const Bytes&, const Bytes&) = default;
    constexpr Bytes& operator+=(Bytes other) {
        count += other.count;
        return *this;
    }
    constexpr Bytes& operator-=(Bytes other) {
        count -= other.count;
        return *this;
    }
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
    friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
    friend constexpr Bytes operator*(std::uint64_t n, Bytes b) { return {n * b.count}; }
    friend constexpr Bytes operator*(Bytes b, std::uint64_t n) { return {n * b.count}; }
};

// A data rate in whole bits per second, so that 25.78125 Gbps is exact. Prefixes are decimal.
struct Bandwidth {
    std::uint64_t bits_per_second = 0;
    friend constexpr auto operator<=>(const Bandwidth&, const Bandwidth&) = default;
};

// Events per second (message rates).
struct Frequency {
    std::uint64_t per_second = 0;
    friend constexpr auto operator<=>(const Frequency&, const Frequency&) = default;
};

// A fraction in parts per million: 5 % is 50'000.
struct Fraction {
    std::uint32_t ppm = 0;
    friend constexpr auto operator<=>(const Fraction&, const Fraction&) = default;
};

// The length of a cable in whole millimetres.
struct Length {
    std::uint64_t millimetres = 0;
    friend constexpr auto operator<=>(const Length&, const Length&) = default;
};

inline namespace literals {
constexpr Bytes operator""_B(unsigned long long n) {
    return {n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
    return {n << 10U};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
    return {n << 20U};
}
constexpr Bandwidth operator""_Gbps(unsigned long long n) {
    return {n * 1'000'000'000U};
}
constexpr Bandwidth operator""_Mbps(unsigned long long n) {
    return {n * 1'000'000U};
}
constexpr Frequency operator""_Mps(unsigned long long n) {
    return {n * 1'000'000U};
}
constexpr Fraction operator""_percent(unsigned long long n) {
    return {static_cast<std::uint32_t>(n * 10'000U)};
}
}  // namespace literals

[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

}  // namespace ndsim

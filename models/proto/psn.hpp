// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ndsim {

// A packet sequence number: 24 bits, compared as a signed distance modulo 2^24 [wire.md 2.7].
class Psn {
public:
    static constexpr std::uint32_t kMask = 0xFF'FFFFU;

    constexpr Psn() = default;
    constexpr explicit Psn(std::uint32_t value) : value_(value & kMask) {}

    [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
    [[nodiscard]] constexpr Psn operator+(std::uint32_t n) const { return Psn{value_ + n}; }
    [[nodiscard]] constexpr Psn operator-(std::uint32_t n) const { return Psn{value_ - n}; }
    constexpr Psn& operator++() {
        value_ = (value_ + 1) & kMask;
        return *this;
    }
    // How far this lies ahead of `other`; negative if behind.
    [[nodiscard]] constexpr std::int32_t ahead_of(Psn other) const {
        return static_cast<std::int32_t>((value_ - other.value_) << 8U) >> 8;
    }
    friend constexpr bool operator==(Psn, Psn) = default;

private:
    std::uint32_t value_ = 0;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace ndsim {

// The number of receives for each credit code of an acknowledgement [wire.md 1.6].
inline constexpr std::array<std::uint32_t, 31> kAethCredits{
    0,   1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,  192,
    256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768};

// The number of receives for a code; nullopt: the responder does not tell.
[[nodiscard]] constexpr std::optional<std::uint32_t> credits_of(std::uint8_t code) {
    return code < kAethCredits.size() ? std::optional(kAethCredits[code]) : std::nullopt;
}

// The code of the largest number not above `receives`.
[[nodiscard]] constexpr std::uint8_t credit_code(std::uint32_t receives) {
    const auto* const behind = std::upper_bound(kAethCredits.begin(), kAethCredits.end(), receives);
    return static_cast<std::uint8_t>(behind - kAethCredits.begin() - 1);
}

}  // namespace ndsim

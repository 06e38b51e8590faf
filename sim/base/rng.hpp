// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/units.hpp"

namespace ndsim {

// Rng: one stream of random numbers (xoshiro256**, Blackman and Vigna 2018), the same on every compiler. A stream comes
// from the run's seed and its user's name, so it does not depend on other streams or their times.
class Rng {
public:
    using State = std::array<std::uint64_t, 4>;

    Rng(std::uint64_t seed, std::string_view name);
    explicit constexpr Rng(const State& state) : state_(state) {}  // not all zero

    // 64 random bits.
    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // Each of low, low + 1 ... high is equally likely; low <= high.
    std::uint64_t between(std::uint64_t low, std::uint64_t high);
    // True with this probability. Always draws, so that later draws do not depend on the probability.
    bool chance(Fraction probability) { return between(0, 999'999) < probability.ppm; }
    // Exponentially distributed, as the gaps of a Poisson process: mean * -ln(u) with a 64-bit u, rounded to nearest.
    // -ln(u) is in fixed point, off by less than 2^-48, which is less than 1 ps in the result for means below a minute.
    // The result is at most 44.4 times the mean, and never beyond Picoseconds::max(). `mean` is not negative.
    Picoseconds exponential(Picoseconds mean);

private:
    State state_;
};

}  // namespace ndsim

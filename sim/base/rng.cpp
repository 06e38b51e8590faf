// SPDX-License-Identifier: Apache-2.0
#include "sim/base/rng.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace ndsim {

namespace {

__extension__ using Wide = unsigned __int128;

// FNV-1a, 64 bits.
constexpr std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xCBF2'9CE4'8422'2325U;
    for (const char c : text) {
        value = (value ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3U;
    }
    return value;
}

// splitmix64 (Vigna), which xoshiro's authors recommend for seeding.
constexpr std::uint64_t split_mix(std::uint64_t& state) {
    state += 0x9E37'79B9'7F4A'7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EBU;
    return z ^ (z >> 31U);
}

// The natural logarithm in integers. Logarithms have 57 bits after the point (64 ln 2 = 44.4 fits in 63 bits), numbers
// in [0, 2) have 63.
constexpr unsigned kLogPoint = 57;
constexpr unsigned kPoint = 63;
constexpr std::uint64_t kOne = std::uint64_t{1} << kPoint;
constexpr unsigned kStepBits = 8;
constexpr std::size_t kSteps = std::size_t{1} << kStepBits;

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> kPoint);
}

// ln(1 + i / 256) = 2 artanh(z) = 2 (z + z^3/3 + z^5/5 + ...) with z = i / (512 + i), at most 1/3.
constexpr std::uint64_t log_of_step(std::size_t i) {
    const auto z = static_cast<std::uint64_t>((static_cast<Wide>(i) << kPoint) / (2 * kSteps + i));
    std::uint64_t power = z;
    std::uint64_t sum = 0;
    for (std::uint64_t n = 1; power != 0; n += 2) {
        sum += power / n;
        power = times(power, times(z, z));
    }
    constexpr unsigned kDrop = kPoint - kLogPoint - 1;  // the factor 2 saves one bit
    return (sum + (std::uint64_t{1} << (kDrop - 1))) >> kDrop;
}

// An entry of the table of logarithms.
struct Step {
    std::uint64_t log = 0;      // of 1 + i / 256
    std::uint64_t inverse = 0;  // 1 / (1 + i / 256)
};

constexpr std::array<Step, kSteps> make_steps() {
    std::array<Step, kSteps> steps{};
    for (std::size_t i = 0; i < kSteps; ++i) {
        steps[i] = {log_of_step(i), static_cast<std::uint64_t>((static_cast<Wide>(kOne) << kStepBits) / (kSteps + i))};
    }
    return steps;
}

constexpr std::array<Step, kSteps> kLogSteps = make_steps();
constexpr std::uint64_t kLogOf2 = log_of_step(kSteps);

// -ln(r / 2^64) for r > 0. With r = 2^k c (1 + e), c one of the steps and e < 2^-8, the logarithm is
// k ln 2 + ln c + e - e^2/2 + e^3/3 - e^4/4 + e^5/5, and the first term left out is less than 2^-50.
constexpr std::uint64_t minus_log(std::uint64_t r) {
    const auto zeros = static_cast<unsigned>(std::countl_zero(r));
    const std::uint64_t mantissa = r << zeros;
    const std::uint64_t offset = mantissa - kOne;
    const Step& step = kLogSteps[offset >> (kPoint - kStepBits)];
    const std::uint64_t e = times(offset & ((kOne >> kStepBits) - 1), step.inverse);
    std::uint64_t series = kOne / 4 - times(e, kOne / 5);
    series = kOne / 3 - times(e, series);
    series = kOne / 2 - times(e, series);
    series = kOne - times(e, series);
    const std::uint64_t log = step.log + (times(e, series) >> (kPoint - kLogPoint));
    const std::uint64_t whole = (std::uint64_t{zeros} + 1) * kLogOf2;  // 64 - k
    return whole > log ? whole - log : 0;
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::string_view name) : state_{} {
    std::uint64_t mixed = split_mix(seed) ^ hash(name);
    for (std::uint64_t& word : state_) {
        word = split_mix(mixed);
    }
}

// Lemire, "Fast random integer generation in an interval", 2019: the upper half of a 128-bit product, drawn again in
// the few cases that would favour some results.
std::uint64_t Rng::between(std::uint64_t low, std::uint64_t high) {
    assert(low <= high);
    const std::uint64_t count = high - low + 1;
    if (count == 0) {
        return next();
    }
    Wide product = static_cast<Wide>(next()) * count;
    if (static_cast<std::uint64_t>(product) < count) {
        const std::uint64_t surplus = (0 - count) % count;  // 2^64 mod count
        while (static_cast<std::uint64_t>(product) < surplus) {
            product = static_cast<Wide>(next()) * count;
        }
    }
    return low + static_cast<std::uint64_t>(product >> 64U);
}

Picoseconds Rng::exponential(Picoseconds mean) {
    assert(mean >= Picoseconds::zero());
    constexpr Wide kHalf = Wide{1} << (kLogPoint - 1);
    constexpr Wide kLongest = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t r = next() | 1U;  // the middle of one of 2^63 equal parts of (0, 1)
    const Wide time = (static_cast<Wide>(mean.count()) * minus_log(r) + kHalf) >> kLogPoint;
    return Picoseconds{static_cast<std::int64_t>(std::min(time, kLongest))};
}

}  // namespace ndsim

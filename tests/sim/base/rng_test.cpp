// SPDX-License-Identifier: Apache-2.0
#include "sim/base/rng.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "tests/support/catch.hpp"

namespace ndsim::test::rng_test {

using namespace std::chrono_literals;

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

// As published by Vigna, written down once more.
std::uint64_t published_split_mix(std::uint64_t& x) {
    std::uint64_t z = (x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}
std::uint64_t published_fnv1a(std::string_view text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) {
        hash ^= static_cast<std::uint8_t>(c);
        hash *= 1099511628211U;
    }
    return hash;
}

// A stream whose first next() is `first`: that is rotl(s1 * 5, 7) * 9, and 5 and 9 have inverses modulo 2^64.
Rng starting_with(std::uint64_t first) {
    constexpr std::uint64_t kInverseOf5 = 0xCCCCCCCCCCCCCCCD;
    constexpr std::uint64_t kInverseOf9 = 0x8E38E38E38E38E39;
    static_assert(kInverseOf5 * 5 == 1 && kInverseOf9 * 9 == 1);
    return Rng(Rng::State{1, std::rotr(first * kInverseOf9, 7) * kInverseOf5, 2, 3});
}

TEST_CASE("rng: xoshiro256** as published, by hand from the state 1 2 3 4") {
    // Output: rotl(s1 * 5, 7) * 9. Then t = s1 << 17; s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t;
    // s3 = rotl(s3, 45).
    Rng rng(Rng::State{1, 2, 3, 4});
    // 2 * 5 = 10, 10 << 7 = 1280, * 9 = 11520. t = 2 << 17 = 262144; s2 = 3 ^ 1 = 2; s3 = 4 ^ 2 = 6; s1 = 2 ^ 2 = 0;
    // s0 = 1 ^ 6 = 7; s2 = 2 ^ 262144 = 262146; s3 = 6 << 45.
    CHECK(rng.next() == 11520);
    // s1 = 0. t = 0; s2 = 262146 ^ 7 = 262149; s3 = 6 << 45; s1 = 262149; s0 = 7 ^ (6 << 45);
    // s3 = rotl(6 << 45, 45) = 6 << 26.
    CHECK(rng.next() == 0);
    // 262149 * 5 = 1310745, << 7 = 167775360, * 9. s2 = 262149 ^ 7 ^ (6 << 45) = 262146 ^ (6 << 45), then s1 ^= s2
    // gives 262149 ^ 262146 ^ (6 << 45) = 7 ^ (6 << 45).
    CHECK(rng.next() == 1509978240);
    // s1 * 5 = 35 + (30 << 45), no carries between; << 7 = 4480 + (30 << 52), which fits; * 9 = 40320 + (270 << 52).
    CHECK(rng.next() == 40320 + (std::uint64_t{270} << 52U));
}

TEST_CASE("rng: a stream is seeded by splitmix64 from its seed and the FNV-1a hash of its name") {
    // The published test vectors of both.
    std::uint64_t x = 1234567;
    REQUIRE(published_split_mix(x) == 6457827717110365317U);
    REQUIRE(published_fnv1a("a") == 0xaf63dc4c8601ec8c);

    std::uint64_t seed = 42;
    std::uint64_t mixed = published_split_mix(seed) ^ published_fnv1a("hosts.A.poisson");
    Rng::State state{};
    for (std::uint64_t& word : state) {
        word = published_split_mix(mixed);
    }
    Rng expected(state);
    Rng rng(42, "hosts.A.poisson");
    for (int i = 0; i < 100; ++i) {
        CHECK(rng.next() == expected.next());
    }
}

TEST_CASE("rng: streams of other seeds and names differ, and none depends on another") {
    Rng a(1, "a");
    CHECK(a.next() != Rng(2, "a").next());
    CHECK(Rng(1, "a").next() != Rng(1, "b").next());
    Rng again(1, "a");
    Rng other(1, "other");
    again.next();
    for (int i = 0; i < 10; ++i) {
        other.next();
        CHECK(a.next() == again.next());
    }
}

TEST_CASE("rng: between gives every number of a range equally often") {
    Rng rng(7, "between");
    std::array<int, 10> seen{};
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t drawn = rng.between(5, 14);
        REQUIRE((drawn >= 5 && drawn <= 14));
        ++seen[drawn - 5];
    }
    // Expected 10'000 each with a standard deviation of sqrt(100'000 * 0.1 * 0.9) = 95; five of them.
    for (const int count : seen) {
        CHECK(count > 10'000 - 475);
        CHECK(count < 10'000 + 475);
    }
}

TEST_CASE("rng: between at its limits") {
    Rng rng(7, "limits");
    CHECK(rng.between(9, 9) == 9);
    CHECK(rng.between(kAll, kAll) == kAll);
    Rng copy = rng;
    CHECK(rng.between(0, kAll) == copy.next());
}

TEST_CASE("rng: between draws again where some numbers would be likelier") {
    // A range of 2^63 + 1 numbers: 2^64 holds it once, with 2^63 - 1 left over. The product 2 * (2^63 + 1) = 2^64 + 2
    // has the low half 2, which is less than that surplus: drawn again.
    Rng rng = starting_with(2);
    Rng copy = rng;
    copy.next();
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t range = (std::uint64_t{1} << 63U) + 1;
    Wide product = 0;
    do {
        product = static_cast<Wide>(copy.next()) * range;
    } while (static_cast<std::uint64_t>(product) < range - 2);
    CHECK(rng.between(0, range - 1) == static_cast<std::uint64_t>(product >> 64U));
    CHECK(rng.next() == copy.next());
}

TEST_CASE("rng: chance is true as often as its fraction says, and always draws") {
    Rng rng(7, "chance");
    int hits = 0;
    for (int i = 0; i < 100'000; ++i) {
        hits += rng.chance(Fraction{50'000}) ? 1 : 0;
    }
    // 5'000 expected, standard deviation sqrt(100'000 * 0.05 * 0.95) = 69; five of them.
    CHECK(hits > 5'000 - 345);
    CHECK(hits < 5'000 + 345);

    Rng never = rng;
    Rng always = rng;
    for (int i = 0; i < 1'000; ++i) {
        CHECK_FALSE(never.chance(Fraction{0}));
        CHECK(always.chance(Fraction{1'000'000}));
    }
    CHECK(never.next() == always.next());
}

TEST_CASE("rng: exponential is mean * -ln(u) to the picosecond") {
    constexpr Picoseconds kMean{std::int64_t{1} << 40U};
    Rng rng(7, "accuracy");
    for (int i = 0; i < 100'000; ++i) {
        Rng copy = rng;
        const auto r = static_cast<long double>(copy.next() | 1U);
        const long double exact = static_cast<long double>(kMean.count()) * -std::log(r / 18446744073709551616.0L);
        // 2^40 * 2^-48, and half a picosecond of rounding.
        REQUIRE(std::abs(static_cast<long double>(rng.exponential(kMean).count()) - exact) < 0.51L);
    }
}

TEST_CASE("rng: exponential at the ends of its range") {
    // The smallest u is 2^-64: 64 ln 2 = 44.361419555836...
    CHECK(starting_with(0).exponential(1us) == Picoseconds{44'361'420});
    CHECK(starting_with(0).exponential(Picoseconds::max()) == Picoseconds::max());
    // The largest is 1 - 2^-64: next to nothing, and never negative.
    CHECK(starting_with(kAll).exponential(1us) == Picoseconds{0});
    CHECK(starting_with(kAll).exponential(Picoseconds::max()) >= Picoseconds{0});
    CHECK(starting_with(kAll).exponential(Picoseconds::max()) < Picoseconds{1 << 15});  // 2^63 * 2^-48
    // u = 1/2: ln 2 = 0.693147180559945...
    CHECK(starting_with(std::uint64_t{1} << 63U).exponential(1s) == Picoseconds{693'147'180'560});
    CHECK(starting_with(1234).exponential(0s) == Picoseconds{0});
}

TEST_CASE("rng: exponential has its mean and its variance") {
    Rng rng(7, "moments");
    constexpr int kDraws = 200'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
        const auto time = static_cast<double>(rng.exponential(1us).count());
        sum += time;
        squares += time * time;
    }
    const double mean = sum / kDraws;
    // The mean of n has the standard deviation mean / sqrt(n) = 0.22 %, the variance sqrt(8 / n) = 0.63 %; five of
    // each.
    CHECK(mean == Catch::Approx(1e6).epsilon(0.0112));
    CHECK(squares / kDraws - mean * mean == Catch::Approx(1e12).epsilon(0.032));
}

}  // namespace ndsim::test::rng_test

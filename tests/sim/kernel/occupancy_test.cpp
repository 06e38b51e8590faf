// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/occupancy.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/picoseconds.hpp"

namespace ndsim::test::occupancy_test {

// From `at` on the level is `level`.
void set(Occupancy& slots, std::uint64_t level, Picoseconds at) {
    if (level > slots.level()) {
        slots.rise(level - slots.level(), at);
    } else {
        slots.fall(slots.level() - level, at);
    }
}

TEST_CASE("occupancy: integral, mean, high-water mark and shares are weighted with time") {
    Occupancy slots(4);
    set(slots, 2, 10_ps);   // empty for 10 ps
    set(slots, 4, 30_ps);   // 2 for 20 ps
    set(slots, 1, 40_ps);   // 4 for 10 ps
    slots.advance(100_ps);  // 1 for 60 ps

    CHECK(slots.level() == 1);
    CHECK(slots.capacity() == 4);
    CHECK(slots.high_water() == 4);
    CHECK(slots.observed() == 100_ps);
    CHECK(slots.integral() == 140);     // 2 * 20 + 4 * 10 + 1 * 60
    CHECK(slots.mean_milli() == 1400);  // 140 / 100
    CHECK(slots.full_ppm() == 100'000);
    CHECK(slots.empty_ppm() == 100'000);
}

TEST_CASE("occupancy: a percentile is the lowest level below or at which it was for so long") {
    Occupancy slots(4);
    set(slots, 2, 10_ps);
    set(slots, 4, 30_ps);
    set(slots, 1, 40_ps);
    slots.advance(100_ps);

    // 10 ps at 0, 60 ps at 1, 20 ps at 2, 10 ps at 4.
    CHECK(slots.percentile(100'000) == 0);
    CHECK(slots.percentile(100'001) == 1);
    CHECK(slots.percentile(700'000) == 1);
    CHECK(slots.percentile(700'001) == 2);
    CHECK(slots.percentile(900'000) == 2);
    CHECK(slots.percentile(900'001) == 4);
    CHECK(slots.percentile(1'000'000) == 4);
}

TEST_CASE("occupancy: it is full when the largest piece so far would find no room") {
    Occupancy bytes(10);
    bytes.rise(4, 0_ps);
    bytes.rise(3, 10_ps);   // 7: another 4 do not fit
    bytes.fall(1, 30_ps);   // 6: they do
    bytes.rise(1, 70_ps);   // 7
    bytes.advance(100_ps);  // full for 20 and 30 of 100 ps
    CHECK(bytes.full_ppm() == 500'000);
}

TEST_CASE("occupancy: a larger piece makes it full from then on, not in the time before") {
    Occupancy bytes(10);
    set(bytes, 7, 0_ps);    // full for pieces of 7: 7 more do not fit
    set(bytes, 2, 20_ps);   // 8 places, enough
    bytes.rise(8, 60_ps);   // full
    bytes.fall(7, 70_ps);   // 3: another 8 do not fit
    bytes.fall(1, 80_ps);   // 2: they do
    bytes.rise(1, 95_ps);   // 3
    bytes.advance(100_ps);  // full for 20, 10, 10 and 5 of 100 ps
    CHECK(bytes.full_ppm() == 450'000);
}

TEST_CASE("occupancy: the time full is exact, also when buckets become wider meanwhile") {
    Occupancy bytes(65'536);
    bytes.rise(1, 0_ps);
    bytes.rise(65'535, 10_ps);  // full, and no level has a bucket of its own any more
    bytes.fall(65'535, 30_ps);  // 1: the largest piece, 65,535, fits
    bytes.rise(1, 80_ps);       // 2: it does not
    bytes.advance(100_ps);      // full for 20 and 20 of 100 ps
    CHECK(bytes.full_ppm() == 400'000);
}

TEST_CASE("occupancy: the mean is rounded to the nearest thousandth") {
    Occupancy one_third(1);
    set(one_third, 1, 2_ps);
    one_third.advance(3_ps);
    CHECK(one_third.mean_milli() == 333);

    Occupancy two_thirds(1);
    set(two_thirds, 1, 1_ps);
    two_thirds.advance(3_ps);
    CHECK(two_thirds.mean_milli() == 667);
}

TEST_CASE("occupancy: nothing observed is no division by zero") {
    const Occupancy slots(8);
    CHECK(slots.mean_milli() == 0);
    CHECK(slots.percentile(500'000) == 0);
    CHECK(slots.full_ppm() == 0);
    CHECK(slots.empty_ppm() == 0);
}

TEST_CASE("occupancy: a restart forgets the past and keeps the level") {
    Occupancy slots(8);
    set(slots, 8, 10_ps);
    set(slots, 3, 20_ps);
    slots.advance(30_ps);
    slots.restart(slots.level(), 30_ps);

    CHECK(slots.high_water() == 3);
    CHECK(slots.integral() == 0);
    CHECK(slots.observed() == 0_ps);
    slots.advance(50_ps);
    CHECK(slots.integral() == 60);
    CHECK(slots.mean_milli() == 3000);
    CHECK(slots.percentile(1) == 3);
    CHECK(slots.empty_ppm() == 0);
}

TEST_CASE("occupancy: a large capacity is kept in buckets, mean and high-water mark stay exact") {
    Occupancy bytes(65'536);  // 65 536 >> 7 = 512: buckets of 128 levels
    set(bytes, 1000, 0_ps);
    set(bytes, 65'536, 50_ps);
    bytes.advance(100_ps);

    CHECK(bytes.percentile(500'000) == 1023);  // the upper edge of 896 ... 1023
    CHECK(bytes.percentile(500'001) == 65'536);
    CHECK(bytes.high_water() == 65'536);
    CHECK(bytes.mean_milli() == 33'268'000);  // (1000 + 65 536) / 2
}

TEST_CASE("occupancy: the time empty is exact, also when a bucket holds more levels than one") {
    Occupancy bytes(65'536);
    set(bytes, 65'536, 0_ps);  // from now on a bucket has 128 levels
    set(bytes, 0, 20_ps);
    set(bytes, 5, 50_ps);
    set(bytes, 0, 90_ps);
    bytes.advance(100_ps);
    CHECK(bytes.empty_ppm() == 400'000);  // 30 + 10 of 100 ps
}

TEST_CASE("occupancy: it is still empty when nothing leaves it") {
    Occupancy slots(4);
    slots.fall(0, 40_ps);
    slots.advance(100_ps);
    CHECK(slots.empty_ppm() == 1'000'000);
}

TEST_CASE("occupancy: a long time at a high level does not overflow") {
    Occupancy bytes(1'000'000'000'000);
    set(bytes, 1'000'000'000'000, 0_ps);
    bytes.advance(24h);  // 8.64e16 ps, an integral of 8.64e28

    CHECK(bytes.integral() == WideTime{86'400'000'000'000'000} * 1'000'000'000'000);
    CHECK(bytes.mean_milli() == 1'000'000'000'000'000);
}

}  // namespace ndsim::test::occupancy_test

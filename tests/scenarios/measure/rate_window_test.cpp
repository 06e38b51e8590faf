// SPDX-License-Identifier: Apache-2.0
#include "scenarios/measure/rate_window.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace ndsim::test::rate_window_test {

constexpr Picoseconds kMicrosecond = std::chrono::microseconds{1};

// Events of 64 bytes, one each microsecond, the first at 1 us.
RateWindow regular(std::uint64_t warmup, std::uint64_t window, std::int64_t events) {
    RateWindow rate(warmup, window);
    for (std::int64_t i = 1; i <= events; ++i) {
        rate.record(i * kMicrosecond, 64);
    }
    return rate;
}

TEST_CASE("rate window: nothing measured has no rate") {
    const RateWindow rate = regular(10, 100, 10);
    CHECK(rate.measured() == 0);
    CHECK_FALSE(rate.events_per_second());
    CHECK_FALSE(rate.amount_per_second());
    CHECK_FALSE(rate.half_interval_ppm());
    CHECK_FALSE(rate.steady());
}

TEST_CASE("rate window: before it is complete there is a rate, but neither an interval nor steadiness") {
    const RateWindow rate = regular(10, 100, 109);
    CHECK(rate.measured() == 99);
    CHECK(rate.events_per_second() == 1'000'000);  // 99 in 99 us
    CHECK(rate.amount_per_second() == 64'000'000);
    CHECK_FALSE(rate.half_interval_ppm());
    CHECK_FALSE(rate.steady());
}

TEST_CASE("rate window: complete, with batches that are all alike") {
    const RateWindow rate = regular(10, 100, 120);  // ten more than it measures
    CHECK(rate.measured() == 100);
    CHECK(rate.events_per_second() == 1'000'000);
    CHECK(rate.half_interval_ppm() == 0);
    CHECK(rate.steady() == true);
}

// Software that was away hears of 10 messages, which begin the window, at 50 us, when 12 KB have been moved, and of two
// more within 20 ns. Then the connection dies; until 52 us 16 KB have been moved. 4 KB in 2 us, not 2 KB in 20 ns.
TEST_CASE("rate window: one that is cut has the rate of what was moved, not of what was told at once") {
    constexpr Picoseconds kLook = std::chrono::nanoseconds{10};
    RateWindow rate(10, 100);
    for (int i = 0; i < 10; ++i) {
        rate.record(50 * kMicrosecond, 1000);
    }
    rate.moved(12'000, 50 * kMicrosecond);
    rate.record(50 * kMicrosecond + kLook, 1000);
    rate.record(50 * kMicrosecond + 2 * kLook, 1000);
    rate.cut(16'000, 52 * kMicrosecond);
    CHECK(rate.measured() == 2);
    CHECK(rate.amount_per_second() == 2'000'000'000);
    CHECK(rate.events_per_second() == 2'000'000);  // of 1000 bytes each
    CHECK_FALSE(rate.half_interval_ppm());
}

TEST_CASE("rate window: a burst at its end is not faster than what moved it") {
    // A message each microsecond; the polls of the last ten are late, and come together.
    RateWindow rate(10, 20);
    for (std::int64_t i = 1; i <= 30; ++i) {
        // The ten of the warm-up were polled late: when 15 had been moved.
        const std::int64_t at = i <= 10 ? 15 : std::max<std::int64_t>(i, 16);
        rate.record(at * kMicrosecond, 1000);
        if (rate.is_at_edge()) {
            rate.moved(static_cast<std::uint64_t>(1000 * at), at * kMicrosecond);
        }
    }
    // 20 have ended between 15 us and 30 us, but 15 were moved.
    CHECK(rate.amount_per_second() == 1'000'000'000);
    CHECK(rate.events_per_second() == 1'000'000);
}

// Software hears of ten events at once, each time when the ten of the next batch have been moved, too: of a window of
// 200 in batches of ten, the last one tells of nothing new.
TEST_CASE("rate window: with a batch that moved nothing there is a rate, but no interval of what was told") {
    RateWindow rate(10, 200);
    for (std::int64_t i = 1; i <= 210; ++i) {
        const std::int64_t moved = std::min<std::int64_t>((i + 9) / 10 * 10 + 10, 210);
        rate.record(moved * kMicrosecond, 1000);
        if (rate.is_at_edge()) {
            rate.moved(static_cast<std::uint64_t>(1000 * moved), moved * kMicrosecond);
        }
    }
    // From 20 to 210 messages of 1000 bytes between 20 us and 210 us.
    CHECK(rate.amount_per_second() == 1'000'000'000);
    CHECK_FALSE(rate.half_interval_ppm());
    CHECK(rate.steady() == true);
}

// A message of 1000 bytes is reported each microsecond, in which `moved` bytes are moved.
RateWindow with_movement(std::uint64_t moved) {
    RateWindow rate(1, 4);
    for (std::uint64_t i = 1; i <= 5; ++i) {
        const Picoseconds at = static_cast<std::int64_t>(i) * kMicrosecond;
        rate.record(at, 1000);
        rate.moved(i * moved, at);
    }
    return rate;
}

TEST_CASE("rate window: movement that runs ahead of its reports is not steady") {
    CHECK(with_movement(1020).keeps_up());  // 1000 / 1020 = 98.04 %
    CHECK(with_movement(1020).steady() == true);
    CHECK_FALSE(with_movement(1021).keeps_up());  // 1000 / 1021 = 97.94 %
    CHECK(with_movement(1021).steady() == false);
    CHECK(with_movement(1021).reported_per_second() == 1'000'000'000);
    CHECK(with_movement(1021).amount_per_second() == 1'021'000'000);
    CHECK(with_movement(900).keeps_up());  // reports of what was moved before
}

// All is moved during the warm-up, and reported at a message each microsecond.
TEST_CASE("rate window: a window in which nothing moves has a rate of 0, and is not steady") {
    RateWindow rate(10, 20);
    for (std::int64_t i = 1; i <= 30; ++i) {
        rate.record(i * kMicrosecond, 1000);
        if (rate.is_at_edge()) {
            rate.moved(30'000, 5 * kMicrosecond);
        }
    }
    CHECK(rate.amount_per_second() == 0);
    CHECK(rate.events_per_second() == 0);
    CHECK(rate.reported_per_second() == 1'000'000'000);
    CHECK_FALSE(rate.half_interval_ppm());
    CHECK_FALSE(rate.keeps_up());
    CHECK(rate.steady() == false);
}

TEST_CASE("rate window: movement that has ended before half of it is reported is not steady") {
    // Two messages of 1000 bytes are moved each microsecond, up to 30 of them, and one is reported: when the ten of the
    // warm-up are, 20 have been moved, and five later all.
    RateWindow rate(10, 20);
    for (std::int64_t i = 1; i <= 30; ++i) {
        rate.record(i * kMicrosecond, 1000);
        if (rate.is_at_edge()) {
            const std::int64_t moved = std::min<std::int64_t>(2 * i, 30);
            rate.moved(static_cast<std::uint64_t>(1000 * moved), moved * kMicrosecond / 2);
        }
    }
    CHECK(rate.amount_per_second() == 2'000'000'000);
    CHECK(rate.reported_per_second() == 1'000'000'000);
    CHECK(rate.steady() == false);
}

TEST_CASE("rate window: fewer events than batches have no interval, fewer than four no steadiness") {
    CHECK(regular(0, 20, 20).half_interval_ppm() == 0);
    CHECK_FALSE(regular(0, 19, 19).half_interval_ppm());
    CHECK(regular(0, 19, 19).steady() == true);
    CHECK(regular(0, 4, 4).steady() == true);
    CHECK_FALSE(regular(0, 3, 3).steady());
}

TEST_CASE("rate window: the interval of batches that take 4 us and 6 us in turns") {
    // The mean is 5 us; each of the 20 is 1 us off, so the deviation is sqrt(20 / 19) us and that of the mean
    // sqrt(1 / 19) us. 2.093 times that, of 5 us: 2.093 * 0.229416 / 5 = 0.096033.
    RateWindow rate(0, 20);
    Picoseconds at{};
    for (int i = 0; i < 20; ++i) {
        at += (i % 2 == 0 ? 4 : 6) * kMicrosecond;
        rate.record(at, 1);
    }
    CHECK(rate.half_interval_ppm() == 96'033);
    CHECK(rate.steady() == true);  // both halves take 50 us
}

TEST_CASE("rate window: a second half that takes 3 % longer is not steady") {
    RateWindow rate(0, 40);
    Picoseconds at{};
    for (int i = 0; i < 40; ++i) {
        at += i < 20 ? std::chrono::nanoseconds{1000} : std::chrono::nanoseconds{1030};
        rate.record(at, 1);
    }
    CHECK(rate.steady() == false);
}

}  // namespace ndsim::test::rate_window_test

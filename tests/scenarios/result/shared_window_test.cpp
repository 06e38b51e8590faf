// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/shared_window.hpp"

#include <array>

#include "tests/support/catch.hpp"

namespace ndsim::test::shared_window_test {

constexpr std::array<std::size_t, 1> kFirst{0};
constexpr std::array<std::size_t, 1> kSecond{1};
constexpr std::array<std::size_t, 2> kBoth{0, 1};

// 100 bytes come in each of `steps` times of 10 ps. The two generators get them in turn, each for `span_of_turn` times.
SharedWindow in_turn(std::int64_t steps, std::int64_t span_of_turn) {
    SharedWindow window;
    std::array<std::uint64_t, 2> bytes{1000, 5000};  // received before
    window.begin(Picoseconds{70}, {bytes[0], bytes[1]}, Picoseconds{10});
    for (std::int64_t step = 0; step < steps; ++step) {
        bytes.at(static_cast<std::size_t>(step / span_of_turn % 2)) += 100;
        const Picoseconds at{70 + 10 * (step + 1)};
        if (step + 1 == steps) {
            window.end(at, {bytes[0], bytes[1]});
        } else if (window.wants_note(at)) {
            window.note(at, {bytes[0], bytes[1]});
        }
    }
    return window;
}

TEST_CASE("shared window: rates are those of its whole time") {
    const SharedWindow window = in_turn(1000, 5);
    // 500 of 1000 times 100 B in 10 ns: 5e12 B/s.
    CHECK(window.bytes_per_second(0) == 5'000'000'000'000);
    CHECK(window.bytes_per_second(1) == 5'000'000'000'000);
    CHECK_FALSE(window.is_open());
}

// Batches are a twentieth of 200 steps: a turn of 10 steps is one batch. So each generator gets 1000 B in one batch and
// nothing in the next, half of it on average: the deviation is 500 x sqrt(20 / 19) = 513, the interval
// 2.093 x 513 / sqrt(20) / 500 = 48.0 %. Together they get 1000 B in each.
TEST_CASE("shared window: generators that take from each other have wide intervals, and none together") {
    const SharedWindow window = in_turn(200, 10);
    for (const auto& one : {kFirst, kSecond}) {
        const std::uint64_t interval = window.half_interval_ppm(one).value();
        CHECK(interval > 479'000);
        CHECK(interval < 481'000);
    }
    CHECK(window.half_interval_ppm(kBoth) == 0);
}

// 100,000 steps leave 195 notes, 512 steps apart. So a batch has 9 or 10 notes: 4,608 or 5,120 steps, which are whole
// turns of 500 and a part of one. The first generator gets half of them, at most 250 more or less: 10.9 % of 2,304. The
// interval is at most 2.093 x 10.9 % x sqrt(20 / 19) / sqrt(20) = 5.3 %.
TEST_CASE("shared window: of a long window notes are dropped evenly") {
    const SharedWindow window = in_turn(100'000, 500);
    CHECK(window.half_interval_ppm(kBoth) == 0);
    CHECK(window.half_interval_ppm(kFirst).value() < 53'000);
    CHECK(window.bytes_per_second(0) == 5'000'000'000'000);
}

TEST_CASE("shared window: too short for batches, or without data, it has no interval") {
    CHECK_FALSE(in_turn(58, 1).half_interval_ppm(kBoth));  // 59 notes, its begin and end included
    CHECK(in_turn(59, 1).half_interval_ppm(kBoth));
    SharedWindow still;
    still.begin(Picoseconds{0}, {7, 7}, Picoseconds{1});
    for (std::int64_t at = 1; at < 100; ++at) {
        still.note(Picoseconds{at}, {7, 7});
    }
    CHECK_FALSE(still.half_interval_ppm(kFirst));  // not ended
    still.end(Picoseconds{100}, {7, 7});
    CHECK_FALSE(still.half_interval_ppm(kFirst));
    CHECK(still.bytes_per_second(0) == 0);
}

}  // namespace ndsim::test::shared_window_test

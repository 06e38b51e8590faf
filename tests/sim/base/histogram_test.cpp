// SPDX-License-Identifier: Apache-2.0
#include "sim/base/histogram.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <vector>

#include "sim/base/rng.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::histogram_test {

constexpr std::uint32_t kMedian = 500'000;

Histogram of(std::initializer_list<std::int64_t> times) {
    Histogram histogram;
    for (const std::int64_t time : times) {
        histogram.record(Picoseconds{time});
    }
    return histogram;
}

TEST_CASE("histogram: an empty one has no smallest, largest, mean or percentile") {
    const Histogram histogram;
    CHECK(histogram.count() == 0);
    CHECK(histogram.sum() == 0);
    CHECK_FALSE(histogram.min());
    CHECK_FALSE(histogram.max());
    CHECK_FALSE(histogram.mean());
    CHECK_FALSE(histogram.percentile(0));
    CHECK_FALSE(histogram.percentile(kMedian));
}

TEST_CASE("histogram: times below 2048 ps are exact") {
    Histogram histogram;
    for (std::int64_t time = 0; time < 2048; ++time) {
        histogram.record(Picoseconds{time});
    }
    // The n-th smallest of 0, 1, 2 ... is n - 1; 1 ppm of 2048 is less than one, so the first.
    CHECK(histogram.percentile(0) == Picoseconds{0});
    CHECK(histogram.percentile(1) == Picoseconds{0});
    CHECK(histogram.percentile(250'000) == Picoseconds{511});
    CHECK(histogram.percentile(kMedian) == Picoseconds{1023});
    CHECK(histogram.percentile(990'000) == Picoseconds{2027});  // ceil(2048 * 0.99) = ceil(2027.52) = 2028
}

TEST_CASE("histogram: a percentile that is the shortest or the longest of its bucket is exact") {
    // 9000 has 14 bits, of which the upper 11 count: its bucket is 9000 .. 9007.
    CHECK(of({9001, 50'000}).percentile(kMedian) == Picoseconds{9001});        // alone
    CHECK(of({9001, 9003}).percentile(kMedian) == Picoseconds{9001});          // the first of two
    CHECK(of({5, 9001, 9002}).percentile(kMedian) == Picoseconds{9001});       // number 2, the first of the bucket
    CHECK(of({9001, 9003, 50'000}).percentile(kMedian) == Picoseconds{9003});  // number 2, the last of the bucket
    // 2048 and 2049 share the first bucket that is two wide.
    CHECK(of({2049, 2048, 3000, 3001}).percentile(kMedian) == Picoseconds{2049});
}

TEST_CASE("histogram: equal times give that time, and 20 ns more for each give 20 ns more") {
    for (const std::int64_t time : {300, 2'345'678, 999'999'999}) {
        Histogram before;
        Histogram after;
        for (int i = 0; i < 1'000; ++i) {
            before.record(Picoseconds{time});
            after.record(Picoseconds{time + 20'000});
        }
        before.record(Picoseconds{5'000'000'000});  // so that none of them is the longest of all
        after.record(Picoseconds{5'000'000'000});
        for (const std::uint32_t ppm : {kMedian, 900'000U, 990'000U, 999'000U}) {
            CHECK(before.percentile(ppm) == Picoseconds{time});
            CHECK(after.percentile(ppm) == Picoseconds{time + 20'000});
        }
    }
}

TEST_CASE("histogram: between the shortest and the longest of a bucket times count as evenly spread") {
    // 65536 has 17 bits: its bucket is 64 wide, 65536 .. 65599. Shortest 65537, longest 65577: 40 in three steps.
    const Histogram four = of({65'577, 65'538, 65'537, 65'539});
    CHECK(four.percentile(250'000) == Picoseconds{65'537});
    CHECK(four.percentile(kMedian) == Picoseconds{65'550});  // 65537 + 40 * 1 / 3, rounded down
    CHECK(four.percentile(750'000) == Picoseconds{65'563});  // 65537 + 40 * 2 / 3
}

TEST_CASE("histogram: a percentile is wrong by less than 1/1024, to either side") {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    for (unsigned bit = 11; bit < 63; ++bit) {
        const std::int64_t first = std::int64_t{1} << bit;  // of a bucket that is 1/1024 of it wide
        const std::int64_t last = first + first / 1024 - 1;
        const std::int64_t third = first + (first / 1024 - 1) / 3;
        // Number 2 of 4 is taken to be a third above the first. It is the first, or the last.
        CHECK(of({first, first, first, last}).percentile(kMedian) == Picoseconds{third});
        CHECK(of({first, last, last, last}).percentile(kMedian) == Picoseconds{third});
    }
    CHECK(of({kMax, kMax}).percentile(kMedian) == Picoseconds::max());
}

TEST_CASE("histogram: percentiles of random times are near the true ones, and rise") {
    Rng rng(7, "times");
    std::vector<std::int64_t> times;
    Histogram histogram;
    for (int i = 0; i < 20'000; ++i) {
        const auto time = static_cast<std::int64_t>(rng.between(0, std::uint64_t{1} << rng.between(10, 30)));
        times.push_back(time);
        histogram.record(Picoseconds{time});
    }
    std::sort(times.begin(), times.end());
    std::int64_t below = histogram.min()->count();
    for (std::uint32_t ppm = 50; ppm < 999'950; ppm += 50) {  // 50 ppm of 20'000 are one
        const std::int64_t truth = times[ppm / 50 - 1];
        const std::int64_t shown = histogram.percentile(ppm)->count();
        REQUIRE(std::abs(shown - truth) <= truth / 1024);
        REQUIRE(shown >= below);
        below = shown;
    }
    CHECK(below <= times.back());
}

TEST_CASE("histogram: a percentile needs 1 / (1 - p) times") {
    Histogram histogram;
    histogram.record(Picoseconds{7});
    CHECK(histogram.percentile(0) == Picoseconds{7});
    CHECK_FALSE(histogram.percentile(kMedian));
    histogram.record(Picoseconds{7});
    CHECK(histogram.percentile(kMedian) == Picoseconds{7});
    for (int i = 2; i < 9'999; ++i) {
        histogram.record(Picoseconds{i});
    }
    CHECK(histogram.percentile(999'000));
    CHECK_FALSE(histogram.percentile(999'900));
    histogram.record(Picoseconds{20'000});
    // Number ceil(10'000 * 0.9999) = 9'999, the last but one: 9'998, the longest of its bucket 9'992 .. 9'999.
    CHECK(histogram.percentile(999'900) == Picoseconds{9'998});
    CHECK_FALSE(histogram.percentile(1'000'000));
    CHECK_FALSE(histogram.percentile(2'000'000));
}

TEST_CASE("histogram: count, sum, smallest, largest and mean are exact") {
    const Histogram histogram = of({1'000'000'007, 3, 1'000'000'000'000'003});
    CHECK(histogram.count() == 3);
    CHECK(static_cast<std::uint64_t>(histogram.sum()) == 1'000'001'000'000'013U);
    CHECK(histogram.min() == Picoseconds{3});
    CHECK(histogram.max() == Picoseconds{1'000'000'000'000'003});
    CHECK(histogram.mean() == Picoseconds{333'333'666'666'671});  // exactly
    CHECK(of({1, 2}).mean() == Picoseconds{2});                   // 1.5
    CHECK(of({1, 1, 2}).mean() == Picoseconds{1});                // 1.33
    CHECK(of({1, 2, 2}).mean() == Picoseconds{2});                // 1.67
}

TEST_CASE("histogram: the sum does not overflow") {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    const Histogram histogram = of({kMax, kMax, kMax, kMax});
    CHECK(histogram.sum() == WideSum{4} * static_cast<std::uint64_t>(kMax));
    CHECK(histogram.mean() == Picoseconds::max());
}

TEST_CASE("histogram: one that only knows long times takes short ones") {
    // Octaves of 2^20 and 2^10: the short ones are below all that there was room for.
    const Histogram histogram = of({1'048'577, 1'048'576, 1'024, 1'024, 1'024});
    CHECK(histogram.count() == 5);
    CHECK(histogram.percentile(600'000) == Picoseconds{1'024});      // number 3
    CHECK(histogram.percentile(600'001) == Picoseconds{1'048'576});  // number 4, the shortest of its bucket
    CHECK(histogram.percentile(800'000) == Picoseconds{1'048'576});
    CHECK_FALSE(histogram.percentile(800'001));  // would need more than 5 times
}

}  // namespace ndsim::test::histogram_test

// SPDX-License-Identifier: Apache-2.0
#include "sim/base/histogram.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>

using namespace ndsim;

namespace histogram_test {

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

TEST_CASE("histogram: times below 256 ps are exact") {
    Histogram histogram;
    for (std::int64_t time = 0; time < 256; ++time) {
        histogram.record(Picoseconds{time});
    }
    // The n-th smallest of 0, 1, 2 ... is n - 1; 1 ppm of 256 is less than one, so the first.
    CHECK(histogram.percentile(0) == Picoseconds{0});
    CHECK(histogram.percentile(1) == Picoseconds{0});
    CHECK(histogram.percentile(250'000) == Picoseconds{63});
    CHECK(histogram.percentile(kMedian) == Picoseconds{127});
    CHECK(histogram.percentile(990'000) == Picoseconds{253});  // ceil(256 * 0.99) = 254
}

TEST_CASE("histogram: a percentile is the upper edge of its bucket, at most the largest time") {
    // 1000 has 10 bits, of which the upper 8 count: its bucket is 1000 .. 1003.
    CHECK(of({1000, 5000}).percentile(kMedian) == Picoseconds{1003});
    CHECK(of({1000, 1001}).percentile(kMedian) == Picoseconds{1001});
    // 256 and 257 share the first bucket that is two wide.
    CHECK(of({256, 258}).percentile(kMedian) == Picoseconds{257});
    CHECK(of({255, 258}).percentile(kMedian) == Picoseconds{255});
}

TEST_CASE("histogram: a percentile is never too low, and too high by less than 1/128") {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    for (unsigned bit = 0; bit < 62; ++bit) {
        const std::int64_t power = std::int64_t{1} << bit;
        for (const std::int64_t time : {power - 1, power, power + 1, power + power / 3, power + power / 128}) {
            const std::int64_t shown = of({time, kMax}).percentile(kMedian)->count();
            CHECK(shown >= time);
            CHECK(shown - time <= time / 128);
        }
    }
    CHECK(of({kMax, kMax}).percentile(kMedian) == Picoseconds::max());
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
    // Number ceil(10'000 * 0.9999) = 9'999, the last but one: 9'998, with 14 bits in a bucket 64 wide: 9'984 .. 10'047.
    CHECK(histogram.percentile(999'900) == Picoseconds{10'047});
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

TEST_CASE("histogram: merged histograms are as one that saw everything") {
    Histogram all;
    Histogram low;
    Histogram high;
    for (std::int64_t time = 1; time <= 1'000; ++time) {
        low.record(Picoseconds{time});
        high.record(Picoseconds{time * 1'000});
        all.record(Picoseconds{time});
        all.record(Picoseconds{time * 1'000});
    }
    for (const bool low_first : {true, false}) {
        Histogram merged;
        merged.merge(low_first ? low : high);
        merged.merge(low_first ? high : low);
        merged.merge(Histogram{});
        CHECK(merged.count() == 2'000);
        CHECK(merged.sum() == all.sum());
        CHECK(merged.min() == all.min());
        CHECK(merged.max() == all.max());
        for (const std::uint32_t ppm : {0U, 100'000U, 499'999U, kMedian, 900'000U, 999'000U}) {
            CHECK(merged.percentile(ppm) == all.percentile(ppm));
        }
    }
}

TEST_CASE("histogram: a cleared one starts anew") {
    Histogram histogram = of({1'000'000, 5});
    histogram.clear();
    CHECK(histogram.count() == 0);
    CHECK_FALSE(histogram.max());
    histogram.record(Picoseconds{9});
    histogram.record(Picoseconds{9});
    CHECK(histogram.min() == Picoseconds{9});
    CHECK(histogram.max() == Picoseconds{9});
    CHECK(histogram.mean() == Picoseconds{9});
    CHECK(histogram.percentile(kMedian) == Picoseconds{9});
}

}  // namespace histogram_test

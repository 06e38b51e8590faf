// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// Wide enough for the sum of 2^64 times.
__extension__ using WideSum = unsigned __int128;

// Histogram: the distribution of times. Times below 2048 ps have a bucket each; above, every octave has 1024, so a
// bucket is at most 1/1024 as wide as the times in it are long. Each bucket knows its shortest and longest time. Count,
// smallest, largest and sum are exact.
class Histogram {
public:
    // `time` is not negative. Allocates only when it is far from all earlier times.
    void record(Picoseconds time) {
        assert(time >= Picoseconds::zero());
        const auto value = static_cast<std::uint64_t>(time.count());
        const std::size_t number = number_of(value);
        const std::size_t page = number / kPageBuckets;
        if (page >= pages_.size() || pages_[page].empty()) {
            reach(page);
        }
        Bucket& bucket = pages_[page][number % kPageBuckets];
        ++bucket.count;
        bucket.shortest = std::min(bucket.shortest, time);
        bucket.longest = std::max(bucket.longest, time);
        ++count_;
        sum_ += value;
        min_ = std::min(min_, time);
        max_ = std::max(max_, time);
    }

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] WideSum sum() const { return sum_; }
    // Nothing if no time was recorded.
    [[nodiscard]] std::optional<Picoseconds> min() const { return if_any(min_); }
    [[nodiscard]] std::optional<Picoseconds> max() const { return if_any(max_); }
    [[nodiscard]] std::optional<Picoseconds> mean() const;  // rounded to nearest
    // The time that `ppm` of a million recorded times do not exceed: with the times sorted, number ceil(count * ppm /
    // 1'000'000), at least the first. It is exact if it is the shortest or longest of its bucket, so also if all times
    // in the bucket are equal. Otherwise the times in a bucket count as evenly spread from the shortest to the longest.
    // The error is less than the bucket's width, 1/1024 of the time, to either side. Nothing if fewer than 1 / (1 - p)
    // times were recorded: the 99.99th percentile needs 10'000 times.
    [[nodiscard]] std::optional<Picoseconds> percentile(std::uint32_t ppm) const;

private:
    // Times of about the same length.
    struct Bucket {
        [[nodiscard]] Picoseconds time(std::uint64_t place) const;  // time `place`, from 1, of the sorted times in it

        std::uint64_t count = 0;
        Picoseconds shortest = Picoseconds::max();
        Picoseconds longest{};
    };

    static constexpr unsigned kOctaveBits = 10;  // 1024 buckets an octave
    static constexpr unsigned kExactBits = kOctaveBits + 1;
    static constexpr std::size_t kPageBuckets = 128;  // allocated together

    // A value of 12 bits or more loses its low `shift` bits and keeps its upper 11, the first of which is set.
    [[nodiscard]] static constexpr std::size_t number_of(std::uint64_t value) {
        constexpr std::uint64_t kExact = (std::uint64_t{1} << kExactBits) - 1;
        const unsigned shift = static_cast<unsigned>(std::bit_width(value | kExact)) - kExactBits;
        return (std::size_t{shift} << kOctaveBits) + (value >> shift);
    }

    void reach(std::size_t page);
    [[nodiscard]] std::optional<Picoseconds> if_any(Picoseconds time) const {
        return count_ == 0 ? std::nullopt : std::optional(time);
    }

    std::vector<std::vector<Bucket>> pages_;  // a page that was never needed is empty
    std::uint64_t count_ = 0;
    WideSum sum_ = 0;
    Picoseconds min_ = Picoseconds::max();
    Picoseconds max_{};
};

}  // namespace ndsim

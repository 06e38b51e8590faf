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

// Histogram: how times are distributed. Times below 2048 ps have a bucket each; above, every octave has 1024, so a
// bucket is at most 1/1024 as wide as the times in it are long. Each bucket knows its shortest and longest time. Count,
// smallest, largest and sum are exact.
class Histogram {
public:
    // `time` is not negative. Allocates only when it is far from all before it.
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
    // As if everything recorded in `other` had been recorded here.
    void merge(const Histogram& other);
    void clear();  // forgets the times, keeps the memory

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] WideSum sum() const { return sum_; }
    // Nothing recorded: none of these.
    [[nodiscard]] std::optional<Picoseconds> min() const { return if_any(min_); }
    [[nodiscard]] std::optional<Picoseconds> max() const { return if_any(max_); }
    [[nodiscard]] std::optional<Picoseconds> mean() const;  // rounded to nearest
    // The time that `ppm` of a million recorded times do not exceed: with the times sorted, number
    // ceil(count * ppm / 1'000'000), at least the first. It is exact if it is the shortest or the longest of its
    // bucket, so also if all in the bucket are equal; else the times in a bucket count as evenly spread from the
    // shortest to the longest. It is wrong by less than the bucket's width, 1/1024 of it, to either side. Nothing
    // if fewer than 1 / (1 - p) times were recorded: the 99.99th percentile needs 10'000 of them.
    [[nodiscard]] std::optional<Picoseconds> percentile(std::uint32_t ppm) const;

private:
    struct Bucket {
        [[nodiscard]] Picoseconds time(std::uint64_t place) const;  // of the times in it, sorted, from 1

        std::uint64_t count = 0;
        Picoseconds shortest = Picoseconds::max();
        Picoseconds longest{};
    };

    static constexpr unsigned kOctaveBits = 10;  // 1024 buckets an octave
    static constexpr unsigned kExactBits = kOctaveBits + 1;
    static constexpr std::size_t kPageBuckets = 128;  // that come into being together

    // A value of 12 bits or more loses its low `shift` bits and keeps the upper 11, whose first is set.
    [[nodiscard]] static constexpr std::size_t number_of(std::uint64_t value) {
        constexpr std::uint64_t kExact = (std::uint64_t{1} << kExactBits) - 1;
        const unsigned shift = static_cast<unsigned>(std::bit_width(value | kExact)) - kExactBits;
        return (std::size_t{shift} << kOctaveBits) + (value >> shift);
    }

    void reach(std::size_t page);
    [[nodiscard]] std::optional<Picoseconds> if_any(Picoseconds time) const {
        return count_ == 0 ? std::nullopt : std::optional(time);
    }

    std::vector<std::vector<Bucket>> pages_;  // empty ones are not needed so far
    std::uint64_t count_ = 0;
    WideSum sum_ = 0;
    Picoseconds min_ = Picoseconds::max();
    Picoseconds max_{};
};

}  // namespace ndsim

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

// Histogram: how times are distributed. Times below 256 ps have a bucket each; above, every octave has 128, so a
// bucket is at most 1/128 as wide as the times in it are long. Count, smallest, largest and sum are exact.
class Histogram {
public:
    // `time` is not negative. Allocates only when it is in a higher octave than all before it.
    void record(Picoseconds time) {
        assert(time >= Picoseconds::zero());
        const auto value = static_cast<std::uint64_t>(time.count());
        const std::size_t bucket = bucket_of(value);
        if (bucket >= buckets_.size()) {
            reach(bucket);
        }
        ++buckets_[bucket];
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
    // ceil(count * ppm / 1'000'000), at least the first; given as the upper edge of its bucket or the largest time,
    // whichever is less. So it is never too low, and too high by less than 1/128. Nothing if fewer than
    // 1 / (1 - p) times were recorded: the 99.99th percentile needs 10'000 of them.
    [[nodiscard]] std::optional<Picoseconds> percentile(std::uint32_t ppm) const;

private:
    static constexpr unsigned kExactBits = 8;
    static constexpr unsigned kOctaveBits = kExactBits - 1;  // 128 buckets an octave

    // A value of 9 bits or more loses its low `shift` bits and keeps the upper 8, whose first is set.
    [[nodiscard]] static constexpr std::size_t bucket_of(std::uint64_t value) {
        const unsigned shift = static_cast<unsigned>(std::bit_width(value | 0xFFU)) - kExactBits;
        return (std::size_t{shift} << kOctaveBits) + (value >> shift);
    }
    [[nodiscard]] static constexpr std::uint64_t upper_edge(std::size_t bucket) {
        const std::size_t octave = bucket >> kOctaveBits;
        const std::size_t shift = octave == 0 ? 0 : octave - 1;
        return ((bucket - (shift << kOctaveBits) + 1) << shift) - 1;
    }

    void reach(std::size_t bucket);
    [[nodiscard]] std::optional<Picoseconds> if_any(Picoseconds time) const {
        return count_ == 0 ? std::nullopt : std::optional(time);
    }

    std::vector<std::uint64_t> buckets_;  // as many octaves as were needed so far
    std::uint64_t count_ = 0;
    WideSum sum_ = 0;
    Picoseconds min_ = Picoseconds::max();
    Picoseconds max_{};
};

}  // namespace ndsim

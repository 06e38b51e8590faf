// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// Wide enough for picoseconds times entries: a 64-bit sum would overflow within seconds of simulated time.
__extension__ using WideTime = __int128;

// The time, which is not negative, times a number: one multiplication.
[[nodiscard]] inline WideTime wide_product(Picoseconds time, std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<WideTime>(static_cast<Wide>(static_cast<std::uint64_t>(time.count())) * n);
}

// Occupancy: how full something was over time. Keeps the high-water mark, the time spent at each level (in at most
// kBuckets buckets of equal width) and the exact integral of the level over time.
class Occupancy {
public:
    static constexpr std::uint64_t kBuckets = 1024;

    explicit Occupancy(std::uint64_t capacity);

    // From `at` on the level is `level`. `at` never goes back.
    void set(std::uint64_t level, Picoseconds at) {
        lower(level, at);
        high_water_ = std::max(high_water_, level);
    }
    // The same for a level below the present one.
    void lower(std::uint64_t level, Picoseconds at) {
        advance(at);
        level_ = level;
    }
    // Accounts for the time up to `at` at the present level.
    void advance(Picoseconds at) {
        const Picoseconds span = at - since_;
        dwell_[level_ >> shift_] += span;
        integral_ += wide_product(span, level_);
        since_ = at;
    }
    // Forgets the past: statistics count from `at`.
    void restart(Picoseconds at);

    [[nodiscard]] std::uint64_t level() const { return level_; }
    [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
    [[nodiscard]] std::uint64_t high_water() const { return high_water_; }
    [[nodiscard]] WideTime integral() const { return integral_; }
    [[nodiscard]] Picoseconds observed() const { return since_ - begun_; }
    // Mean level in thousandths, rounded to nearest.
    [[nodiscard]] std::uint64_t mean_milli() const;
    // The lowest level (upper edge of its bucket) below or at which it was for `ppm` of the time.
    [[nodiscard]] std::uint64_t percentile(std::uint32_t ppm) const;
    // Share of the time, in ppm, in which it was at its capacity, and in which it was empty. Exact if a bucket is one
    // level.
    [[nodiscard]] std::uint64_t full_ppm() const { return share_ppm(dwell_.back()); }
    [[nodiscard]] std::uint64_t empty_ppm() const { return share_ppm(dwell_.front()); }

private:
    [[nodiscard]] std::uint64_t share_ppm(Picoseconds span) const;

    std::uint64_t capacity_;
    unsigned shift_ = 0;
    std::uint64_t level_ = 0;
    std::uint64_t high_water_ = 0;
    WideTime integral_ = 0;
    Picoseconds since_{};
    Picoseconds begun_{};
    std::vector<Picoseconds> dwell_;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// Wide enough for picoseconds times entries: a 64-bit sum would overflow within seconds of simulated time.
__extension__ using WideTime = __int128;

// A time, which is not negative, times a number: one multiplication.
[[nodiscard]] inline WideTime wide_product(Picoseconds time, std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<WideTime>(static_cast<Wide>(static_cast<std::uint64_t>(time.count())) * n);
}

// Occupancy: how full something was over time. Keeps the high-water mark, the time at each level (in at most kBuckets
// buckets of equal width, as many as the levels since restart() need), the time full, the time empty, and the exact
// integral of the level over time.
class Occupancy {
public:
    static constexpr std::uint64_t kBuckets = 1024;

    explicit Occupancy(std::uint64_t capacity) : capacity_(capacity), full_from_(capacity) {}

    // Raises or lowers the level by `n` from `at` on. `at` never goes back.
    void rise(std::uint64_t n, Picoseconds at) {
        advance(at);
        level_ += n;
        if (level_ > high_water_ || n > largest_) {
            grow(n);
        }
    }
    void fall(std::uint64_t n, Picoseconds at) {
        advance(at);
        level_ -= n;
    }
    // Accounts for the time up to `at` at the present level.
    void advance(Picoseconds at) {
        if (at != since_) {
            spend(level_, at - since_);
            since_ = at;
        }
    }
    // Falls by one at each of these times, at once where they have passed. Returns the sum of the times at which it
    // fell, modulo 2^64.
    template <class Row, class Time>
    std::uint64_t fall_one_by_one(const Row& row, Time time) {
        std::uint64_t sum = 0;
        std::uint64_t level = level_;  // in registers
        Picoseconds since = since_;
        for (const auto& each : row) {
            Picoseconds at = each.*time;
            at = at < since ? since : at;
            spend(level--, at - since);
            since = at;
            sum += static_cast<std::uint64_t>(at.count());
        }
        level_ = level;
        since_ = since;
        return sum;
    }
    // Forgets the past: statistics count from `at`, with this level then.
    void restart(std::uint64_t level, Picoseconds at);

    [[nodiscard]] std::uint64_t level() const { return level_; }
    [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
    [[nodiscard]] std::uint64_t high_water() const { return high_water_; }
    [[nodiscard]] WideTime integral() const { return shift_ == 0 ? fine_integral() : integral_; }
    // End of the time accounted for.
    [[nodiscard]] Picoseconds since() const { return since_; }
    [[nodiscard]] Picoseconds observed() const { return since_ - begun_; }
    // Mean level in thousandths, rounded to nearest.
    [[nodiscard]] std::uint64_t mean_milli() const;
    // The lowest level (upper edge of its bucket) not exceeded for `ppm` of the time.
    [[nodiscard]] std::uint64_t percentile(std::uint32_t ppm) const;
    // Share of the time, in ppm, in which the largest piece so far (a packet, one slot) would have found no room.
    [[nodiscard]] std::uint64_t full_ppm() const { return share_ppm(full_ + fine_full()); }
    // Share of the time, in ppm, spent empty.
    [[nodiscard]] std::uint64_t empty_ppm() const { return share_ppm(shift_ == 0 ? dwell_[0] : empty_); }

private:
    void spend(std::uint64_t level, Picoseconds span) {
        dwell_[level >> shift_] += span;
        if (shift_ != 0) [[unlikely]] {
            full_ += level >= full_from_ ? span : Picoseconds{};
            integral_ += wide_product(span, level);
            empty_ += level == 0 ? span : Picoseconds{};
        }
    }
    void grow(std::uint64_t piece);  // to the present level, and to pieces of this size
    void widen();                    // the buckets
    [[nodiscard]] WideTime fine_integral() const;
    // The time in the buckets of which each is one level at which it is full.
    [[nodiscard]] Picoseconds fine_full() const;
    [[nodiscard]] std::uint64_t share_ppm(Picoseconds span) const;

    std::uint64_t capacity_;
    std::uint64_t full_from_;
    std::uint64_t largest_ = 1;
    unsigned shift_ = 0;
    std::uint64_t level_ = 0;
    std::uint64_t high_water_ = 0;
    Picoseconds since_{};
    Picoseconds begun_{};
    // While each level has its own bucket, these follow from the buckets; they are kept for wider ones only. The time
    // full is more, or less, than that of its buckets by what they held when it began to count from other levels.
    Picoseconds full_{};
    WideTime integral_ = 0;
    Picoseconds empty_{};
    std::vector<Picoseconds> dwell_ = std::vector<Picoseconds>(1);
};

}  // namespace ndsim

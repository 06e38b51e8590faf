// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sim/base/units.hpp"

namespace ndsim {

// An exact rate as picoseconds per unit of work, a reduced fraction. 100 Gbps is 80/1 ps per byte.
struct ExactRate {
    std::uint64_t num = 0;
    std::uint64_t den = 1;

    [[nodiscard]] static constexpr ExactRate of(std::uint64_t num, std::uint64_t den) {
        const std::uint64_t divisor = std::gcd(num, den);
        return {num / divisor, den / divisor};
    }
    [[nodiscard]] static constexpr ExactRate per_byte(Bandwidth rate) {
        return of(8'000'000'000'000U, rate.bits_per_second);
    }
    [[nodiscard]] static constexpr ExactRate per_item(Frequency rate) {
        return of(1'000'000'000'000U, rate.per_second);
    }

    // Time for `units` of work, rounded up to the picosecond.
    [[nodiscard]] constexpr Picoseconds time(std::uint64_t units) const {
        const std::uint64_t work = units * num;
        return Picoseconds{static_cast<std::int64_t>(den == 1 ? work : ceil_div(work, den))};
    }
    [[nodiscard]] constexpr Picoseconds time(Bytes bytes) const { return time(bytes.count); }

    // The rate that is left, (1 - overhead) of it.
    [[nodiscard]] constexpr ExactRate reduced_by(Fraction overhead) const {
        const std::uint64_t kept = 1'000'000U - overhead.ppm;
        const std::uint64_t a = std::gcd(num, kept);
        const std::uint64_t b = std::gcd(std::uint64_t{1'000'000U}, den);
        return of((num / a) * (1'000'000U / b), (den / b) * (kept / a));
    }
};

// A span of time from `start` to `end`.
struct Interval {
    Picoseconds start{};
    Picoseconds end{};
};

// A first-come server with an exact rate. Queued work keeps the fraction of a picosecond that its predecessor left, so
// a busy server's rate is exact for ever; starts and ends are rounded up.
class ExactServer {
public:
    explicit constexpr ExactServer(ExactRate rate) : rate_(rate) {}

    // Serves `units` of work that arrives at `at`, after everything reserved before.
    constexpr Interval reserve(Picoseconds at, std::uint64_t units) {
        if (at > free_at()) {  // work that arrives at the rounded end has queued as well
            free_floor_ = at;
            remainder_ = 0;
        }
        const Picoseconds start = free_at();
        const std::uint64_t work = units * rate_.num + remainder_;
        if (rate_.den == 1) {
            free_floor_ += Picoseconds{static_cast<std::int64_t>(work)};
            return {start, free_floor_};
        }
        free_floor_ += Picoseconds{static_cast<std::int64_t>(work / rate_.den)};
        remainder_ = work % rate_.den;
        return {start, free_at()};
    }

    // Serves nothing until `until`.
    constexpr void hold_until(Picoseconds until) {
        if (until > free_at()) {
            free_floor_ = until;
            remainder_ = 0;
        }
    }
    [[nodiscard]] constexpr Picoseconds free_at() const { return free_floor_ + Picoseconds{remainder_ != 0 ? 1 : 0}; }
    [[nodiscard]] constexpr const ExactRate& rate() const { return rate_; }

private:
    ExactRate rate_;
    Picoseconds free_floor_{};
    std::uint64_t remainder_ = 0;
};

// When a stage that needs its whole input without a gap may start, if the input arrives from `ready.start` (the forward
// grain is there) to `ready.end`: at once, or late enough never to run dry.
[[nodiscard]] constexpr Picoseconds cut_through_start(Interval ready, Picoseconds service, Picoseconds last_piece) {
    return std::max(ready.start, ready.end + last_piece - service);
}

}  // namespace ndsim

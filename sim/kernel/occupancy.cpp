// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/occupancy.hpp"

#include <algorithm>

namespace ndsim {

void Occupancy::grow(std::uint64_t piece) {
    if (piece > largest_) {
        full_ += fine_full();
        largest_ = piece;
        full_from_ = capacity_ - std::min(largest_, capacity_) + 1;
        full_ -= fine_full();
    }
    high_water_ = std::max(high_water_, level_);
    while ((level_ >> shift_) >= kBuckets) {
        widen();
    }
    if ((level_ >> shift_) >= dwell_.size()) {
        dwell_.resize((level_ >> shift_) + 1);
    }
}

// Two buckets become one.
void Occupancy::widen() {
    if (shift_ == 0) {
        full_ += fine_full();
        integral_ = fine_integral();
        empty_ = dwell_[0];
    }
    ++shift_;
    for (std::size_t i = 0; i < dwell_.size(); i += 2) {
        dwell_[i / 2] = dwell_[i] + (i + 1 < dwell_.size() ? dwell_[i + 1] : Picoseconds{});
    }
    dwell_.resize((dwell_.size() + 1) / 2);
}

WideTime Occupancy::fine_integral() const {
    WideTime sum = 0;
    for (std::size_t level = 1; level < dwell_.size(); ++level) {
        sum += wide_product(dwell_[level], level);
    }
    return sum;
}

Picoseconds Occupancy::fine_full() const {
    Picoseconds sum{};
    for (std::uint64_t level = full_from_; shift_ == 0 && level < dwell_.size(); ++level) {
        sum += dwell_[level];
    }
    return sum;
}

void Occupancy::restart(std::uint64_t level, Picoseconds at) {
    level_ = level;
    since_ = at;
    begun_ = at;
    integral_ = 0;
    high_water_ = level_;
    full_ = {};
    empty_ = {};
    shift_ = 0;
    while ((level_ >> shift_) >= kBuckets) {
        ++shift_;
    }
    dwell_.assign((level_ >> shift_) + 1, Picoseconds{});
}

std::uint64_t Occupancy::mean_milli() const {
    const WideTime span = observed().count();
    return span == 0 ? 0 : static_cast<std::uint64_t>((integral() * 1000 + span / 2) / span);
}

std::uint64_t Occupancy::percentile(std::uint32_t ppm) const {
    const WideTime wanted = static_cast<WideTime>(observed().count()) * ppm;
    WideTime seen = 0;
    for (std::size_t bucket = 0; bucket < dwell_.size(); ++bucket) {
        seen += static_cast<WideTime>(dwell_[bucket].count()) * 1'000'000;
        if (seen >= wanted) {
            return std::min(((bucket + 1) << shift_) - 1, static_cast<std::size_t>(high_water_));
        }
    }
    return high_water_;
}

std::uint64_t Occupancy::share_ppm(Picoseconds span) const {
    const WideTime total = observed().count();
    return total == 0 ? 0 : static_cast<std::uint64_t>(static_cast<WideTime>(span.count()) * 1'000'000 / total);
}

}  // namespace ndsim

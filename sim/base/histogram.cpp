// SPDX-License-Identifier: Apache-2.0
#include "sim/base/histogram.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kMillion = 1'000'000;

}  // namespace

void Histogram::merge(const Histogram& other) {
    if (other.buckets_.size() > buckets_.size()) {
        buckets_.resize(other.buckets_.size());
    }
    for (std::size_t bucket = 0; bucket < other.buckets_.size(); ++bucket) {
        buckets_[bucket] += other.buckets_[bucket];
    }
    count_ += other.count_;
    sum_ += other.sum_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
}

void Histogram::clear() {
    std::fill(buckets_.begin(), buckets_.end(), 0);
    count_ = 0;
    sum_ = 0;
    min_ = Picoseconds::max();
    max_ = Picoseconds::zero();
}

std::optional<Picoseconds> Histogram::mean() const {
    if (count_ == 0) {
        return std::nullopt;
    }
    return Picoseconds{static_cast<std::int64_t>((sum_ + count_ / 2) / count_)};
}

std::optional<Picoseconds> Histogram::percentile(std::uint32_t ppm) const {
    if (ppm >= kMillion || static_cast<WideSum>(count_) * (kMillion - ppm) < kMillion) {
        return std::nullopt;
    }
    const WideSum wanted = std::max<WideSum>(1, (static_cast<WideSum>(count_) * ppm + kMillion - 1) / kMillion);
    WideSum seen = 0;
    std::size_t bucket = 0;
    while ((seen += buckets_[bucket]) < wanted) {
        ++bucket;
    }
    return std::min(Picoseconds{static_cast<std::int64_t>(upper_edge(bucket))}, max_);
}

void Histogram::reach(std::size_t bucket) {
    buckets_.resize(((bucket >> kOctaveBits) + 1) << kOctaveBits);
}

}  // namespace ndsim

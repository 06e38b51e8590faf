// SPDX-License-Identifier: Apache-2.0
#include "sim/base/histogram.hpp"

namespace ndsim {

namespace {

constexpr std::uint32_t kMillion = 1'000'000;

}  // namespace

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
    for (const std::vector<Bucket>& page : pages_) {
        for (const Bucket& bucket : page) {
            seen += bucket.count;
            if (seen >= wanted) {
                return bucket.time(static_cast<std::uint64_t>(wanted + bucket.count - seen));
            }
        }
    }
    return max_;
}

// The first is the shortest, the last the longest, and the others are evenly spread between them.
Picoseconds Histogram::Bucket::time(std::uint64_t place) const {
    if (count == 1) {
        return shortest;
    }
    const WideSum spread = static_cast<std::uint64_t>((longest - shortest).count());
    return shortest + Picoseconds{static_cast<std::int64_t>(spread * (place - 1) / (count - 1))};
}

void Histogram::reach(std::size_t page) {
    pages_.resize(std::max(pages_.size(), page + 1));
    pages_[page].resize(kPageBuckets);
}

}  // namespace ndsim

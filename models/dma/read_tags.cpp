// SPDX-License-Identifier: Apache-2.0
#include "models/dma/read_tags.hpp"

#include <algorithm>

namespace ndsim {

ReadTags::ReadTags(const DmaParams& params, DmaPools& pools)
    : reserve_(params.dma_reserved_reads, std::min<std::uint64_t>(pools.tags.capacity(), pools.reads.capacity())),
      pools_(pools),
      group_({&pools.tags, &pools.reads}, pools.by_class) {}

std::uint32_t ReadTags::free(ReadClass cls, std::size_t wanted, Picoseconds now) {
    const std::uint64_t free = std::min(pools_.tags.available(now), pools_.reads.available(now));
    if (free >= wanted + reserve_.all()) {
        return static_cast<std::uint32_t>(wanted);
    }
    std::array<std::uint64_t, kReadClasses> used{};
    for (std::size_t i = 0; i < kReadClasses; ++i) {
        used[i] = pools_.by_class[i].capacity() - pools_.by_class[i].available(now);
    }
    const std::uint64_t kept = reserve_.kept_from(cls, used);
    return static_cast<std::uint32_t>(free > kept ? std::min<std::uint64_t>(free - kept, wanted) : 0);
}

}  // namespace ndsim

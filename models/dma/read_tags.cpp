// SPDX-License-Identifier: Apache-2.0
#include "models/dma/read_tags.hpp"

#include <algorithm>

namespace ndsim {

ReadTags::ReadTags(const DmaParams& params, DmaPools& pools)
    : pools_(pools),
      group_({&pools.tags, &pools.reads}, pools.by_class),
      all_reserved_(std::min<std::uint64_t>(
          params.dma_reserved_reads * kReadClasses,
          std::min(pools.tags.capacity(), pools.reads.capacity()) * kReadClasses / (kReadClasses + 1))) {
    for (std::size_t i = 0; i < kReadClasses; ++i) {
        reserved_[i] = (all_reserved_ + kReadClasses - 1 - i) / kReadClasses;
    }
}

std::uint32_t ReadTags::free(ReadClass cls, std::size_t wanted, Picoseconds now) {
    const std::uint64_t free = std::min(pools_.tags.available(now), pools_.reads.available(now));
    if (free >= wanted + all_reserved_) {
        return static_cast<std::uint32_t>(wanted);
    }
    std::uint64_t kept = 0;  // for the other classes; the reserve that a class has in use is no longer kept
    for (std::size_t other = 0; other < kReadClasses; ++other) {
        const std::uint64_t used = pools_.by_class[other].capacity() - pools_.by_class[other].available(now);
        if (other != static_cast<std::size_t>(cls) && used < reserved_[other]) {
            kept += reserved_[other] - used;
        }
    }
    return static_cast<std::uint32_t>(free > kept ? std::min<std::uint64_t>(free - kept, wanted) : 0);
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "models/dma/dma_params.hpp"
#include "models/dma/dma_pools.hpp"
#include "models/ports/dma.hpp"
#include "sim/kernel/pool_group.hpp"

namespace ndsim {

// ReadTags: the read requests that may be under way. Each needs a tag and a place among the reads in flight, from
// the time it is sent to the last byte of its completion. Each class of reads has a reserve of its own, so that
// no class shuts out the others. The reserves sum to at most five sixths, and one more request in total never lets a
// class send fewer.
class ReadTags {
public:
    ReadTags(const DmaParams& params, DmaPools& pools);

    // The number of requests, at most `wanted`, that a read of this class may send now.
    [[nodiscard]] std::uint32_t free(ReadClass cls, std::size_t wanted, Picoseconds now);
    void take(ReadClass cls, std::size_t count, Picoseconds now) {
        group_.take(static_cast<std::size_t>(cls), count, now);
    }
    // Requests are answered at these times, which do not decrease.
    void give_at(ReadClass cls, std::span<const Picoseconds> times) {
        group_.give_at(static_cast<std::size_t>(cls), times);
    }
    // When more requests are free than now. None if no request has its times yet.
    [[nodiscard]] std::optional<Picoseconds> next_return(Picoseconds now) { return group_.next_return(now); }
    // Tags and reads in flight are taken and returned together, so the smaller number is the limit.
    [[nodiscard]] bool tags_bind() const { return pools_.tags.capacity() <= pools_.reads.capacity(); }

private:
    DmaPools& pools_;
    PoolGroup group_;
    const std::uint64_t all_reserved_;
    std::array<std::uint64_t, kReadClasses> reserved_{};
};

}  // namespace ndsim

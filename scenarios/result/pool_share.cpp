// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/pool_share.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/dma/dma_pools.hpp"

namespace ndsim {

std::string pool_name(const Host& host, const SendStep& step) {
    return fmt::format("{}.{}{}{}", host.name, step.unit, step.name.empty() ? "" : ".", step.name);
}

std::uint64_t pool_share(const LimitShares& shares, const Host& host, const SendStep& step) {
    const std::uint64_t full = shares.full(pool_name(host, step));
    std::uint64_t times = 0;
    for (const std::string_view time : step.pool->times) {
        times += time.empty() ? 0 : shares.of(fmt::format("{}.{}", host.name, time));
    }
    switch (step.pool->when_full) {
        case WhenFull::limit:
            return full;
        case WhenFull::idle_limit:
            return full - std::min(full, times);
        case WhenFull::waited_for:
            return times;
        case WhenFull::read_limit: {
            // Some requests are reserved for each class of reads, so the others wait before the pool is full. They wait
            // for the smaller number, of tags or of reads in flight.
            const bool tags_bind = host.node.pcie.tags <= host.node.nic.dma.dma_reads_in_flight;
            const PoolFacts& lesser = tags_bind ? DmaPools::kTagsPool : DmaPools::kReadsPool;
            return step.pool == &lesser ? std::max(full, times) : full;
        }
        case WhenFull::harmless:
        case WhenFull::part:
        case WhenFull::kept:
            break;
    }
    return 0;
}

}  // namespace ndsim

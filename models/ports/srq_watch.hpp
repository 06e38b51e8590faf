// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// SrqWatch: how full a shared receive queue is, as software sees it and as the NIC knows it. It is there for people: no
// hardware depends on it. One watch may count several queues together.
class SrqWatch final : public Unit {
public:
    // The depth is that of the NIC, unless the scenario gives the queue its own.
    static constexpr PoolFacts kSrqPool{"srq", "receives whose slot of the SRQ is taken: post to reclaim",
                                        PoolUnit::wqes, "nic.srq.depth"};
    static constexpr PoolFacts kSrqReadyPool{"srq_ready", "receives that the NIC knows and no message has taken",
                                             PoolUnit::wqes, "nic.srq.depth", WhenFull::part};
    static constexpr PoolFacts kSrqFetchedPool{"srq_fetched", "receives that are in the NIC or under way there",
                                               PoolUnit::wqes, "nic.rq_prefetch", WhenFull::kept};

    struct Depths {
        std::uint64_t srq = Pool::kUnlimited;
        std::uint64_t rq_prefetch = Pool::kUnlimited;
    };

    SrqWatch(const sc_core::sc_module_name& name, Timeline& timeline, const Depths& depths)
        : Unit(name, timeline),
          srq(*this, kSrqPool, depths.srq),
          srq_ready(*this, kSrqReadyPool, depths.srq),
          srq_fetched(*this, kSrqFetchedPool, depths.rq_prefetch) {}

    Pool srq;
    Pool srq_ready;
    Pool srq_fetched;
};

}  // namespace ndsim

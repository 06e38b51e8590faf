// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/kernel/ahead_pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// SrqWatch: how full a shared receive queue is, as software sees it and as the NIC knows it. It serves observers only:
// no hardware depends on it. One watch may count several queues together.
class SrqWatch final : public Unit {
public:
    // The depth is that of the NIC, unless the scenario gives the queue its own.
    static constexpr PoolFacts kSrqPool{"srq", "receives that occupy an SRQ slot, from post to reclaim", PoolUnit::wqes,
                                        "nic.srq.depth"};
    static constexpr PoolFacts kSrqReadyPool{"srq_ready", "receives known to the NIC and not taken by a message",
                                             PoolUnit::wqes, "nic.srq.depth", WhenFull::part};
    static constexpr PoolFacts kSrqFetchedPool{"srq_fetched", "receives in the NIC or on their way to it",
                                               PoolUnit::wqes, "nic.rq_prefetch", WhenFull::kept};

    // The depth of the queue, and how far it is fetched ahead.
    struct Depths {
        std::uint64_t srq = Pool::kUnlimited;
        std::uint64_t rq_prefetch = Pool::kUnlimited;
    };

    SrqWatch(const sc_core::sc_module_name& name, Timeline& timeline, const Depths& depths)
        : Unit(name, timeline),
          srq(*this, kSrqPool, depths.srq),
          srq_ready(*this, kSrqReadyPool, depths.srq),
          srq_fetched(*this, kSrqFetchedPool, depths.rq_prefetch) {}

    void restart_statistics(Picoseconds at) override {
        Unit::restart_statistics(at);
        srq.rewind(at);
    }

    AheadPool srq;
    Pool srq_ready;
    Pool srq_fetched;
};

}  // namespace ndsim

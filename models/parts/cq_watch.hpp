// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// CqWatch: how full a completion queue is, as the NIC knows it and as software sees it. It serves observers only: no
// hardware depends on it. One watch may count several queues together.
class CqWatch final : public Unit {
public:
    // The depth is that of the NIC, unless the scenario gives the queue its own.
    static constexpr PoolFacts kEntriesPool{"entries", "CQEs written that, to the NIC's knowledge, are not yet polled",
                                            PoolUnit::cqes, "nic.cq.depth"};
    static constexpr PoolFacts kUnpolledPool{"unpolled", "CQEs visible in memory and not yet polled", PoolUnit::cqes,
                                             "nic.cq.depth", WhenFull::part};

    // The depth of the queue.
    struct Depths {
        std::uint64_t entries = Pool::kUnlimited;
    };

    CqWatch(const sc_core::sc_module_name& name, Timeline& timeline, const Depths& depths)
        : Unit(name, timeline),
          entries(*this, kEntriesPool, depths.entries),
          unpolled(*this, kUnpolledPool, depths.entries) {}

    Pool entries;
    Pool unpolled;
};

}  // namespace ndsim

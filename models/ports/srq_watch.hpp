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
    struct Depths {
        std::uint64_t srq = Pool::kUnlimited;
        std::uint64_t rq_prefetch = Pool::kUnlimited;
    };

    SrqWatch(const sc_core::sc_module_name& name, Timeline& timeline, const Depths& depths)
        : Unit(name, timeline),
          srq(*this, "srq", "receives whose slot of the SRQ is taken: post to reclaim", depths.srq),
          srq_ready(*this, "srq_ready", "receives that the NIC knows and no message has taken", depths.srq),
          srq_fetched(*this, "srq_fetched", "receives that are in the NIC or under way there", depths.rq_prefetch) {}

    Pool srq;
    Pool srq_ready;
    Pool srq_fetched;
};

}  // namespace ndsim

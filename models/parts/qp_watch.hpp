// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/kernel/ahead_pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// QpWatch: how full the queues of a queue pair are, and how far their requests have come. It serves observers only: no
// hardware depends on it. One watch may count several queue pairs together.
class QpWatch final : public Unit {
public:
    // The depths are those of the NIC, unless the queue pair has its own.
    static constexpr PoolFacts kSqPool{"sq", "requests that occupy an SQ slot, from post to reclaim", PoolUnit::wqes,
                                       "nic.sq.depth"};
    static constexpr PoolFacts kSqDoorbelledPool{"sq_doorbelled", "requests whose doorbell is decoded, not yet fetched",
                                                 PoolUnit::wqes, "nic.sq.depth", WhenFull::part};
    static constexpr PoolFacts kSqFetchedPool{"sq_fetched", "fetched requests that have not begun", PoolUnit::wqes,
                                              "nic.sq.depth", WhenFull::part};
    static constexpr PoolFacts kSqUnacknowledgedPool{"sq_unacknowledged", "requests begun and not yet acknowledged",
                                                     PoolUnit::wqes, "nic.sq.depth", WhenFull::part};
    static constexpr PoolFacts kSqCompletedPool{"sq_completed", "requests that are done, slot not yet reclaimed",
                                                PoolUnit::wqes, "nic.sq.depth", WhenFull::part};
    static constexpr PoolFacts kRqPool{"rq", "receives that occupy an RQ slot, from post to reclaim", PoolUnit::wqes,
                                       "nic.rq.depth"};
    static constexpr PoolFacts kRqReadyPool{"rq_ready", "receives known to the NIC and not taken by a message",
                                            PoolUnit::wqes, "nic.rq.depth", WhenFull::part};
    static constexpr PoolFacts kRqFetchedPool{"rq_fetched", "receives in the NIC or on their way to it", PoolUnit::wqes,
                                              "nic.rq_prefetch", WhenFull::kept};
    static constexpr PoolFacts kPsnWindowPool{"psn_window", "request packets not yet acknowledged", PoolUnit::packets,
                                              "nic.psn_window"};
    static constexpr PoolFacts kOutboundReadsPool{"outbound_reads", "Reads begun whose data has not all arrived",
                                                  PoolUnit::reads, "qp.outbound_reads"};
    static constexpr PoolFacts kInboundReadsPool{"inbound_reads", "Reads of the peer that are not fully answered",
                                                 PoolUnit::reads, "qp.inbound_reads"};

    // The depths of the queues, and other limits of the queue pair.
    struct Depths {
        std::uint64_t sq = Pool::kUnlimited;
        std::uint64_t rq = Pool::kUnlimited;
        std::uint64_t psn_window = Pool::kUnlimited;
        std::uint64_t outbound_reads = Pool::kUnlimited;
        std::uint64_t inbound_reads = Pool::kUnlimited;
        std::uint64_t rq_prefetch = Pool::kUnlimited;
    };

    QpWatch(const sc_core::sc_module_name& name, Timeline& timeline, const Depths& depths)
        : Unit(name, timeline),
          sq(*this, kSqPool, depths.sq),
          sq_doorbelled(*this, kSqDoorbelledPool, depths.sq),
          sq_fetched(*this, kSqFetchedPool, depths.sq),
          sq_unacknowledged(*this, kSqUnacknowledgedPool, depths.sq),
          sq_completed(*this, kSqCompletedPool, depths.sq),
          rq(*this, kRqPool, depths.rq),
          rq_ready(*this, kRqReadyPool, depths.rq),
          rq_fetched(*this, kRqFetchedPool, depths.rq_prefetch),
          psn_window(*this, kPsnWindowPool, depths.psn_window),
          outbound_reads(*this, kOutboundReadsPool, depths.outbound_reads),
          inbound_reads(*this, kInboundReadsPool, depths.inbound_reads) {}

    AheadPool sq;
    Pool sq_doorbelled;
    Pool sq_fetched;
    Pool sq_unacknowledged;
    Pool sq_completed;
    AheadPool rq;
    Pool rq_ready;
    Pool rq_fetched;
    Pool psn_window;
    Pool outbound_reads;
    Pool inbound_reads;

    void restart_statistics(Picoseconds at) override {
        Unit::restart_statistics(at);
        sq.rewind(at);
        rq.rewind(at);
    }

    // One request moves to the next stage.
    static void move(Pool& from, Pool& to, Picoseconds at) {
        from.give(1, at);
        to.take(1, at);
    }
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// QpWatch: how full the queues of a queue pair are, and how far the requests in them have come. It is there for
// people: no hardware depends on it. One watch may count several queue pairs together.
class QpWatch final : public Unit {
public:
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
          sq(*this, "sq", "requests whose slot of the SQ is taken: post to reclaim", depths.sq),
          sq_doorbelled(*this, "sq_doorbelled", "requests whose doorbell is decoded, not yet fetched", depths.sq),
          sq_fetched(*this, "sq_fetched", "fetched requests that have not begun", depths.sq),
          sq_unacknowledged(*this, "sq_unacknowledged", "requests begun and not yet acknowledged", depths.sq),
          sq_completed(*this, "sq_completed", "requests that are done, slot not yet reclaimed", depths.sq),
          rq(*this, "rq", "receives whose slot of the RQ is taken: post to reclaim", depths.rq),
          rq_ready(*this, "rq_ready", "receives that the NIC knows and no message has taken", depths.rq),
          rq_fetched(*this, "rq_fetched", "receives that are in the NIC or under way there", depths.rq_prefetch),
          psn_window(*this, "psn_window", "request packets not yet acknowledged", depths.psn_window),
          outbound_reads(*this, "outbound_reads", "Reads begun whose data has not all come", depths.outbound_reads),
          inbound_reads(*this, "inbound_reads", "Reads of the peer that are not wholly answered",
                        depths.inbound_reads) {}

    Pool sq;
    Pool sq_doorbelled;
    Pool sq_fetched;
    Pool sq_unacknowledged;
    Pool sq_completed;
    Pool rq;
    Pool rq_ready;
    Pool rq_fetched;
    Pool psn_window;
    Pool outbound_reads;
    Pool inbound_reads;

    // One request has come from one stage to the next.
    static void move(Pool& from, Pool& to, Picoseconds at) {
        from.give(1, at);
        to.take(1, at);
    }
};

}  // namespace ndsim

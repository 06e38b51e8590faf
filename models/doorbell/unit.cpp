// SPDX-License-Identifier: Apache-2.0
#include "models/doorbell/unit.hpp"

#include <algorithm>

#include "models/ports/ranks.hpp"

namespace ndsim {

DoorbellUnit::DoorbellUnit(const sc_core::sc_module_name& name, Timeline& timeline, const DoorbellParams& params)
    : Unit(name, timeline),
      params_(params),
      decoding_(*this, timeline, kRankDoorbell),
      fifo_(*this, "fifo", "doorbells that wait to be decoded", params.doorbell_fifo) {
    bar.bind(*this);
}

Picoseconds DoorbellUnit::arrive(Picoseconds at, const Mmio& mmio) {
    ++doorbells_;
    const Picoseconds taken = fifo_.when_available(1, at).value_or(at);
    full_ += taken > at ? 1 : 0;
    fifo_.take(1, taken);
    const Picoseconds leaves = std::max(taken, decoder_free_) + params_.doorbell_decode;
    decoder_free_ = leaves;
    fifo_.give_at(1, leaves);
    decoding_.push(leaves - params_.doorbell_decode + params_.doorbell_to_sched, mmio);
    return taken;
}

void DoorbellUnit::decoded(const Mmio& mmio) {
    switch (mmio.kind) {
        case MmioKind::sq_doorbell:
            send_queues->sq_doorbell({QpNum{mmio.queue}, mmio.index, mmio.pushed, mmio.pushed_units, mmio.entries});
            break;
        case MmioKind::rq_doorbell:
            receive_queues->rq_doorbell(QpNum{mmio.queue}, mmio.index);
            break;
        case MmioKind::srq_doorbell:
            receive_queues->srq_doorbell(SrqNum{mmio.queue}, mmio.index);
            break;
        case MmioKind::cq_consumer:
            completion_queues->consumer_index(CqNum{mmio.queue}, mmio.index);
            break;
        case MmioKind::cq_arm:
            completion_queues->arm({CqNum{mmio.queue}, mmio.arm, mmio.index, mmio.seen, mmio.serial});
            break;
    }
}

void DoorbellUnit::report(StatSink& sink) const {
    sink.add("doorbells", doorbells_, StatUnit::count, "stores decoded");
    sink.add("fifo_full", full_, StatUnit::count, "stores that found the FIFO full");
}

}  // namespace ndsim

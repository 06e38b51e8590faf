// SPDX-License-Identifier: Apache-2.0
#include "models/doorbell/doorbell_unit.hpp"

#include <algorithm>
#include <array>

#include "models/parts/ranks.hpp"

namespace ndsim {

namespace {

// An arm has a wish beside its index, and a serial number: it never replaces another.
bool can_stand_for_earlier(MmioKind kind) {
    return kind != MmioKind::cq_arm;
}

constexpr std::array kStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{EngineState::kBusy, "time that the decoder was busy with doorbells", "decoding"}};

Work work_of(const Mmio& mmio) {
    Work work{kMmioKindNames.at(static_cast<std::size_t>(mmio.kind))};
    if (mmio.kind == MmioKind::sq_doorbell || mmio.kind == MmioKind::rq_doorbell) {
        work.qp = QpNum{mmio.queue};
    } else {
        work.queue = mmio.queue;
    }
    return work;
}

}  // namespace

DoorbellUnit::DoorbellUnit(const sc_core::sc_module_name& name, Timeline& timeline, const DoorbellParams& params,
                           PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      payloads_(payloads),
      decoding_(*this, timeline, kRankDoorbell),
      times_(*this, {}, kStates),
      fifo_(*this, kFifoPool, params.doorbell_fifo),
      records_(timeline, *this, dma, payloads, params) {
    bar.bind(*this);
    records.bind(*this);
    lifecycle.bind(*this);
}

Picoseconds DoorbellUnit::arrive(Picoseconds at, const Mmio& mmio) {
    // A waiting store holds up those behind it.
    const Picoseconds here = std::max(at, last_taken_);
    if (fifo_.available(here) > 0) {
        enter(here, mmio);
        return here;
    }
    ++full_;
    switch (params_.doorbell_policy) {
        case DoorbellPolicy::backpressure:
            break;
        case DoorbellPolicy::coalesce:
            if (merge(here, mmio)) {
                last_taken_ = here;
                return here;
            }
            break;
        case DoorbellPolicy::drop_recover: {
            ++dropped_;
            Mmio lost = mmio;
            throw_away(lost);
            records_.dropped(lost, here);
            return here;
        }
    }
    const Picoseconds taken = fifo_.when_available(1, here).value_or(here);
    enter(taken, mmio);
    return taken;
}

void DoorbellUnit::enter(Picoseconds taken, const Mmio& mmio) {
    ++doorbells_;
    last_taken_ = taken;
    const Picoseconds begins = std::max(taken, decoder_free_);
    decoder_free_ = begins + params_.doorbell_decode;
    times_.busy({begins, decoder_free_});
    decoder_.done({begins, decoder_free_}, [&mmio] { return work_of(mmio); });
    fifo_.hold(1, {taken, decoder_free_});
    waiting_.push({mmio, begins});
    decoding_.push(begins + params_.doorbell_to_sched, 0);
}

// The youngest doorbell of the same queue whose decoding has not begun takes the new index and keeps its place. Pushed
// WQEs of either are dropped, since they would not be the next to execute, or not the last announced.
bool DoorbellUnit::merge(Picoseconds at, const Mmio& mmio) {
    if (!can_stand_for_earlier(mmio.kind)) {
        return false;
    }
    for (std::size_t i = waiting_.size(); i > 0 && waiting_[i - 1].begins > at; --i) {
        Mmio& earlier = waiting_[i - 1].mmio;
        if (earlier.kind != mmio.kind || earlier.queue != mmio.queue) {
            continue;
        }
        ++coalesced_;
        Mmio later = mmio;
        throw_away(later);
        // The store of another core may have been faster.
        if (static_cast<std::int32_t>(later.index - earlier.index) > 0) {
            throw_away(earlier);
            earlier = later;
        }
        return true;
    }
    return false;
}

// The pushed WQE is in the ring as well.
void DoorbellUnit::throw_away(Mmio& mmio) {
    if (mmio.pushed != PayloadRef::none) {
        payloads_.give(mmio.pushed);
    }
    mmio.pushed = PayloadRef::none;
    mmio.pushed_units = 0;
}

void DoorbellUnit::deliver(const Mmio& mmio) {
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

std::optional<Address> DoorbellUnit::record_of(MmioKind kind, std::uint32_t queue) const {
    switch (kind) {
        case MmioKind::sq_doorbell:
        case MmioKind::rq_doorbell:
            return send_queues->record_of(QpNum{queue});
        case MmioKind::srq_doorbell:
            return receive_queues->record_of(SrqNum{queue});
        case MmioKind::cq_consumer:
        case MmioKind::cq_arm:
            return completion_queues->record_of(CqNum{queue});
    }
    return {};
}

bool DoorbellUnit::is_quiet(QpNum qp) const {
    return !records_.is_pending(MmioKind::sq_doorbell, raw(qp)) && !records_.is_pending(MmioKind::rq_doorbell, raw(qp));
}

void DoorbellUnit::report(StatSink& sink) const {
    sink.add("doorbells", doorbells_, StatUnit::count, "stores decoded");
    sink.add("fifo_full", full_, StatUnit::count, "stores that found the FIFO full");
    sink.add("coalesced", coalesced_, StatUnit::count,
             "stores whose index was merged into an earlier doorbell of the queue");
    sink.add("dropped", dropped_, StatUnit::count, "stores dropped because the FIFO was full");
    sink.add("recoveries", records_.rescans(), StatUnit::count, "times that records of dropped doorbells were read");
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/doorbell/doorbell_records.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/doorbell_record.hpp"
#include "models/parts/ranks.hpp"
#include "models/ports/qp.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

// Successive queue-pair numbers of one place are far apart.
std::uint32_t place_of(MmioKind kind, std::uint32_t queue) {
    const bool of_qp = kind == MmioKind::sq_doorbell || kind == MmioKind::rq_doorbell;
    return of_qp ? qp_index(QpNum{queue}) : queue;
}

}  // namespace

DoorbellRecords::DoorbellRecords(Timeline& timeline, RecordOwner& owner, sc_core::sc_port<DmaPort>& dma,
                                 PayloadPool& payloads, const DoorbellParams& params)
    : timeline_(timeline),
      owner_(owner),
      dma_(dma),
      payloads_(payloads),
      delay_(params.doorbell_recovery),
      to_queue_(params.doorbell_to_sched),
      alarm_(*this, timeline, kRankDoorbell),
      arrivals_(*this, timeline, kRankDoorbell) {}

DoorbellRecords::Lost& DoorbellRecords::lost(const Doorbell& doorbell) {
    std::vector<Lost>& queues = lost_.at(static_cast<std::size_t>(doorbell.kind));
    const std::uint32_t place = place_of(doorbell.kind, doorbell.queue);
    return grown(queues, place);
}

bool DoorbellRecords::is_pending(MmioKind kind, std::uint32_t queue) const {
    const std::vector<Lost>& queues = lost_.at(static_cast<std::size_t>(kind));
    const std::uint32_t place = place_of(kind, queue);
    return place < queues.size() && queues[place].pending > 0;
}

// Software writes the record before it rings, so a pending rescan also finds the content of this doorbell.
void DoorbellRecords::dropped(const Mmio& mmio, Picoseconds at) {
    const Doorbell doorbell{mmio.kind, mmio.queue, at, PayloadRef::none};
    Lost& its = lost(doorbell);
    if (!std::exchange(its.listed, true)) {
        ++its.pending;
        dropped_.push(doorbell);
    }
    if (!alarm_.due()) {
        alarm_.set(at + delay_);
    }
}

void DoorbellRecords::read_now(MmioKind kind, std::uint32_t queue) {
    const Doorbell doorbell{kind, queue, timeline_.now(), PayloadRef::none};
    ++lost(doorbell).pending;
    to_read_.push(doorbell);
    read();
}

// Stores are announced ahead of their time: a later drop belongs to the next rescan.
void DoorbellRecords::rescan() {
    ++rescans_;
    while (!dropped_.empty() && dropped_.front().dropped <= timeline_.now()) {
        lost(dropped_.front()).listed = false;
        to_read_.push(dropped_.pop());
    }
    if (!dropped_.empty()) {
        alarm_.set(dropped_.front().dropped + delay_);
    }
    read();
}

void DoorbellRecords::read() {
    while (!to_read_.empty()) {
        const Doorbell& doorbell = to_read_.front();
        if (const auto record = owner_.record_of(doorbell.kind, doorbell.queue)) {
            const std::uint32_t n = take_slot(reading_, free_reading_);
            reading_[n] = doorbell;
            reading_[n].buffer = payloads_.take();
            const ReadPiece piece{*record, kDoorbellRecordBytes, payloads_.data(reading_[n].buffer)};
            if (!dma_->try_read(ReadClass::wqe, {&piece, 1}, n, RequestId{}, *this)) {
                payloads_.give(reading_[n].buffer);
                free_reading_.push_back(n);
                return;  // read_space() follows
            }
        } else {
            --lost(doorbell).pending;
        }
        to_read_.pop();
    }
}

void DoorbellRecords::read_arrives(std::uint32_t n, Interval data) {
    arrivals_.push(std::max(timeline_.now(), data.end) + to_queue_, n);
}

void DoorbellRecords::arrived(const std::uint32_t& n) {
    const Doorbell doorbell = reading_[n];
    const Mmio mmio = read_doorbell_record(payloads_.data(doorbell.buffer), doorbell.kind, doorbell.queue);
    payloads_.give(doorbell.buffer);
    free_reading_.push_back(n);
    --lost(doorbell).pending;
    if (owner_.record_of(doorbell.kind, doorbell.queue)) {
        owner_.recovered(mmio);
    }
}

}  // namespace ndsim

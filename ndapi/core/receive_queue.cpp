// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/receive_queue.hpp"

#include <algorithm>
#include <bit>

namespace ndsim::core {

ReceiveQueue::ReceiveQueue(Driver& driver, QpNum qp, QpWatch& watch, const QpLimits& limits,
                           const HostMemory::Region& record)
    : driver_(driver),
      qp_(qp),
      watch_(watch),
      depth_(limits.receive_depth),
      stride_(wqe_units(WqeOpcode::receive, limits.receive_sges, 0)),
      entries_(std::bit_ceil(std::max(1U, limits.receive_depth))),
      record_(record) {}

void ReceiveQueue::allocate(QpAttributes& attributes) {
    ring_ = driver_.memory().allocate(std::uint64_t{entries_} * stride_ * kWqeUnit);
    requests_.resize(entries_);
    attributes.rq_ring = ring_.base;
    attributes.rq_entries = entries_;
    attributes.rq_stride = stride_;
}

void ReceiveQueue::post(const Request& request, std::span<const LocalPiece> pieces) {
    Core& core = driver_.core();
    watch_.rq.take(1, core.clock());
    WqeEntry entry(WqeOpcode::receive);
    entry.header.count = static_cast<std::uint16_t>(pieces.size());
    entry.header.index = posted_;
    entry.header.request = request.number;
    entry.put_sges(driver_, pieces);
    entry.store(driver_.memory(), ring_, entries_ * stride_, posted_ % entries_ * stride_);
    requests_[posted_ % entries_] = request;
    ++posted_;
    core.spend(CoreActivity::build, driver_.params().cpu.wqe_build);
    driver_.requests().built(request.number, core.clock());
}

void ReceiveQueue::ring(bool at_once) {
    Mmio mmio;
    mmio.kind = MmioKind::rq_doorbell;
    mmio.queue = raw(qp_);
    mmio.index = posted_;
    Doorbells& doorbells = driver_.doorbells();
    if (doorbells.are_only_recorded_for_receives() && !at_once) {
        doorbells.record(mmio, record_);
    } else {
        doorbells.store(mmio, record_);
    }
}

const ReceiveQueue::Request& ReceiveQueue::complete(std::uint32_t index) {
    reclaimed_ = index + 1;
    return requests_[index % entries_];
}

}  // namespace ndsim::core

// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/send_queue.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "sim/base/invariant_error.hpp"
#include "sim/base/little_endian.hpp"

namespace ndsim::core {

namespace {

std::uint32_t units_of_largest(const QpLimits& limits) {
    return std::max(wqe_units(WqeOpcode::write, limits.initiator_sges, limits.inline_bytes),
                    wqe_units(WqeOpcode::fast_register, kFastRegisterPages, 0));
}

}  // namespace

SendQueue::SendQueue(Driver& driver, QpNum qp, QpWatch& watch, const QpLimits& limits, const HostMemory::Region& record)
    : driver_(driver),
      qp_(qp),
      watch_(watch),
      depth_(limits.initiator_depth),
      ring_units_(std::bit_ceil(limits.initiator_depth * units_of_largest(limits))),
      record_(record) {}

void SendQueue::allocate(QpAttributes& attributes) {
    HostMemory& memory = driver_.memory();
    ring_ = memory.allocate(std::uint64_t{ring_units_} * kWqeUnit);
    attributes.sq_ring = ring_.base;
    attributes.sq_units = ring_units_;
    if (driver_.params().adapter.reclaim == Reclaim::on_retire) {
        head_ = memory.allocate(sizeof(std::uint32_t));
        attributes.head = head_.base;
    }
}

void SendQueue::free() {
    driver_.memory().remove(ring_.base);
    if (head_.data != nullptr) {
        driver_.memory().remove(head_.base);
    }
}

bool SendQueue::full() {
    look_at_head();
    return posted_ - reclaimed_ == depth_;
}

// Takes back the slots of requests that the NIC has retired. A completion still to be polled needs its request, but not
// the slot.
void SendQueue::look_at_head() {
    if (head_.data == nullptr) {
        return;
    }
    const Picoseconds clock = driver_.core().clock();
    const auto taken = static_cast<std::int32_t>(load_le<std::uint32_t>(head_.data) - reclaimed_);
    for (std::int32_t i = 0; i < taken; ++i) {
        requests_[reclaimed_ - oldest()].slot_is_free = true;
        watch_.sq.give(1, clock);
        watch_.sq_completed.give(1, clock);
        ++reclaimed_;
    }
    while (!requests_.empty() && requests_.front().silent && requests_.front().slot_is_free) {
        retire_oldest(STATUS_SUCCESS, true);
    }
    driver_.requests().close(clock);
}

void SendQueue::post(WqeEntry& entry, Request request, bool deferred) {
    Core& core = driver_.core();
    watch_.sq.take(1, core.clock());
    entry.header.index = posted_;
    entry.header.request = request.number;
    entry.store(driver_.memory(), ring_, ring_units_, producer_);
    requests_.push(request);
    ++posted_;
    producer_ += entry.header.units();
    core.spend(CoreActivity::build, driver_.params().cpu.wqe_build);
    driver_.requests().built(request.number, core.clock());
    if (is_rung_for(deferred)) {
        ring();
    }
}

// Whether to ring now for the last posted request and the deferred ones before it.
bool SendQueue::is_rung_for(bool deferred) const {
    const AdapterParams& adapter = driver_.params().adapter;
    switch (adapter.defer_policy) {
        case DeferPolicy::until_tail:
            return !deferred;
        case DeferPolicy::never:
            return true;
        case DeferPolicy::max_n:
            return !deferred || posted_ - rung_ >= adapter.defer_max;
    }
    return true;
}

void SendQueue::ring_for_deferred() {
    if (rung_units_ != producer_) {
        ring();
    }
}

void SendQueue::ring() {
    if (suspended_ > 0 || held_until_) {
        held_until_ = std::max(driver_.core().clock(), held_until_.value_or(Picoseconds{}));
        return;
    }
    Mmio mmio;
    mmio.kind = MmioKind::sq_doorbell;
    mmio.queue = raw(qp_);
    mmio.index = producer_;
    mmio.entries = posted_;
    const std::uint32_t units = producer_ - rung_units_;
    const std::uint32_t begin = rung_units_ % ring_units_;
    const std::size_t bytes = std::size_t{units} * kWqeUnit;
    // Behind other requests it would wait in the NIC anyway, and cost CPU and link for nothing.
    const bool is_alone = posted_ - reclaimed_ == 1 && units > 0;
    if (is_alone && begin + units <= ring_units_ && bytes <= driver_.params().nic.queues.wqe_push_max) {
        mmio.pushed_units = static_cast<std::uint16_t>(units);
        mmio.pushed = driver_.device().push_buffer({ring_.data + std::size_t{begin} * kWqeUnit, bytes});
    }
    rung_units_ = producer_;
    rung_ = posted_;
    driver_.doorbells().store(mmio, record_);
}

void SendQueue::suspend() {
    rung_units_ = producer_;
    rung_ = posted_;
    ++suspended_;
}

void SendQueue::resume(std::function<void()> then) {
    --suspended_;
    ring_held(std::move(then));
}

// Software may be ahead of the simulation, and the NIC must not learn of later posts.
void SendQueue::ring_held(const std::function<void()>& then) {
    if (suspended_ > 0 || !held_until_) {
        then();
        return;
    }
    if (*held_until_ > driver_.now()) {
        [[maybe_unused]] const auto deadline =
            driver_.callbacks().set_deadline_at(*held_until_, [this, then] { ring_held(then); });
        return;
    }
    driver_.callbacks().defer(driver_.now(), [this, then] {
        if (suspended_ == 0 && held_until_ && *held_until_ <= driver_.now()) {
            held_until_.reset();
            ring();
        }
        ring_held(then);
    });
}

const SendQueue::Request& SendQueue::oldest_from(std::uint32_t index) {
    if (index - oldest() >= requests_.size()) {
        throw InvariantError("qp", driver_.now(),
                             "a completion names request " + std::to_string(index) + ", outstanding are " +
                                 std::to_string(oldest()) + " to " + std::to_string(posted_));
    }
    while (oldest() != index) {
        retire_oldest(STATUS_SUCCESS, true);
    }
    return requests_.front();
}

void SendQueue::retire_oldest(NTSTATUS status, bool silent) {
    const Request request = requests_.pop();
    reclaimed_ += request.slot_is_free ? 0 : 1;
    const OperationKind dies_if = status == STATUS_SUCCESS ? OperationKind::invalidate : OperationKind::bind;
    if (request.kind == dies_if) {
        driver_.registry().key_died(request.key);
    }
    driver_.requests().retire(
        {qp_, request.kind, status, 0, silent, request.number, request.slot_is_free, &watch_, nullptr, nullptr, 0});
}

}  // namespace ndsim::core

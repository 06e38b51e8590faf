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
      ring_{std::bit_ceil(limits.initiator_depth * units_of_largest(limits)), {}},
      deferred_(driver, qp, ring_, record) {}

void SendQueue::allocate(QpAttributes& attributes) {
    HostMemory& memory = driver_.memory();
    ring_.memory = memory.allocate(std::uint64_t{ring_.capacity} * kWqeUnit);
    attributes.sq_ring = ring_.memory.base;
    attributes.sq_units = ring_.capacity;
    if (driver_.params().adapter.reclaim == Reclaim::on_retire) {
        head_ = memory.allocate(sizeof(std::uint32_t));
        attributes.head = head_.base;
    }
}

// Results may be polled later, but Binds that have not come by now never will.
void SendQueue::free() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        const Request& request = requests_[i];
        if (request.kind == OperationKind::bind && driver_.device().state_of(request.key) == WindowKey::to_come) {
            driver_.registry().key_died(request.key);
        }
    }
    driver_.memory().remove(ring_.memory.base);
    if (head_.data != nullptr) {
        driver_.memory().remove(head_.base);
    }
}

bool SendQueue::full() {
    look_at_head();
    return ring_.posted - ring_.reclaimed + returned_.to_come(driver_.core().clock()) >= depth_;
}

// Takes back the slots of requests that the NIC has retired. A completion still to be polled needs its request, but not
// the slot.
void SendQueue::look_at_head() {
    if (head_.data == nullptr) {
        return;
    }
    const Picoseconds clock = driver_.core().clock();
    const auto taken = static_cast<std::int32_t>(load_le<std::uint32_t>(head_.data) - ring_.reclaimed);
    for (std::int32_t i = 0; i < taken; ++i) {
        requests_[ring_.reclaimed - oldest()].slot_is_free = true;
        watch_.sq.give(1, clock);
        watch_.sq_completed.give(1, clock);
        ++ring_.reclaimed;
    }
    while (!requests_.empty() && requests_.front().silent && requests_.front().slot_is_free) {
        retire_oldest(STATUS_SUCCESS, true);
    }
    driver_.requests().close(clock);
}

void SendQueue::post(WqeEntry& entry, Request request, bool deferred) {
    Core& core = driver_.core();
    watch_.sq.take(1, core.clock());
    entry.header.index = ring_.posted;
    entry.header.request = request.number;
    entry.store(driver_.memory(), ring_.memory, ring_.capacity, ring_.units);
    core.spend(CoreActivity::build, driver_.params().cpu.wqe_build);
    request.first_unit = ring_.units;
    request.posted = core.clock();
    requests_.push(request);
    ++ring_.posted;
    ring_.units += entry.header.units();
    driver_.requests().built(request.number, core.clock());
    deferred_.posted(deferred);
}

SendRing::End SendQueue::posted_by_now() const {
    const Picoseconds clock = driver_.core().clock();
    SendRing::End end = ring_.end();
    for (std::size_t i = requests_.size(); i-- > 0 && requests_[i].posted > clock;) {
        end = {requests_[i].first_unit, end.requests - 1};
    }
    return end;
}

const SendQueue::Request& SendQueue::oldest_from(std::uint32_t index) {
    if (index - oldest() >= requests_.size()) {
        throw InvariantError("qp", driver_.now(),
                             "a completion names request " + std::to_string(index) + ", outstanding are " +
                                 std::to_string(oldest()) + " to " + std::to_string(ring_.posted));
    }
    while (oldest() != index) {
        retire_oldest(STATUS_SUCCESS, true);
    }
    return requests_.front();
}

void SendQueue::retire_oldest(NTSTATUS status, bool silent) {
    const Request request = requests_.pop();
    silent_ends_ += silent ? 1 : 0;
    ring_.reclaimed += request.slot_is_free ? 0 : 1;
    const OperationKind dies_if = status == STATUS_SUCCESS ? OperationKind::invalidate : OperationKind::bind;
    if (request.kind == dies_if) {
        driver_.registry().key_died(request.key);
    } else if (request.kind == OperationKind::invalidate) {
        driver_.registry().key_lives(request.key);
    }
    driver_.requests().retire({qp_, request.kind, status, 0, silent, request.number, request.slot_is_free, &watch_,
                               &returned_, nullptr, nullptr, 0});
}

}  // namespace ndsim::core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ndapi/core/qp.hpp"
#include "sim/base/little_endian.hpp"

// The send queue of a queue pair: when the NIC is told of requests, and when their slots are free again.
namespace ndsim::core {

// Whether to ring now for the last posted request and the deferred ones before it.
bool Qp::is_rung_for(bool deferred) const {
    const AdapterParams& adapter = driver_.params().adapter;
    switch (adapter.defer_policy) {
        case DeferPolicy::until_tail:
            return !deferred;
        case DeferPolicy::never:
            return true;
        case DeferPolicy::max_n:
            return !deferred || sends_posted_ - sends_rung_ >= adapter.defer_max;
    }
    return true;
}

bool Qp::can_initiate() const {
    return state_ == State::connected && !has_lost_completions();
}

// No completion could be reported any more [K163].
bool Qp::has_lost_completions() const {
    return send_cq_.has_failed() || receive_cq_.has_failed();
}

bool Qp::send_queue_full() {
    look_at_head();
    return sends_posted_ - sends_reclaimed_ == limits_.initiator_depth;
}

// Takes back the slots of requests that the NIC has retired. A completion still to be polled needs its request, but not
// the slot.
void Qp::look_at_head() {
    if (head_.data == nullptr) {
        return;
    }
    const Picoseconds clock = driver().core().clock();
    const auto taken = static_cast<std::int32_t>(load_le<std::uint32_t>(head_.data) - sends_reclaimed_);
    for (std::int32_t i = 0; i < taken; ++i) {
        const std::uint32_t oldest = sends_posted_ - static_cast<std::uint32_t>(sends_.size());
        sends_[sends_reclaimed_ - oldest].slot_is_free = true;
        watch_.sq.give(1, clock);
        watch_.sq_completed.give(1, clock);
        ++sends_reclaimed_;
    }
    while (!sends_.empty() && sends_.front().silent && sends_.front().slot_is_free) {
        retire_oldest_send(STATUS_SUCCESS, true);
    }
    driver().requests().close(clock);
}

void Qp::ring_send_doorbell() {
    if (flushes_ > 0 || doorbell_held_until_) {
        doorbell_held_until_ = std::max(driver().core().clock(), doorbell_held_until_.value_or(Picoseconds{}));
        return;
    }
    Mmio mmio;
    mmio.kind = MmioKind::sq_doorbell;
    mmio.queue = raw(number_);
    mmio.index = send_producer_;
    mmio.entries = sends_posted_;
    const std::uint32_t units = send_producer_ - send_rung_;
    const std::uint32_t begin = send_rung_ % send_ring_units_;
    const std::size_t bytes = std::size_t{units} * kWqeUnit;
    // Behind other requests it would wait in the NIC anyway, and cost CPU and link for nothing.
    const bool is_alone = sends_posted_ - sends_reclaimed_ == 1 && units > 0;
    if (is_alone && begin + units <= send_ring_units_ && bytes <= driver().params().nic.queues.wqe_push_max) {
        mmio.pushed_units = static_cast<std::uint16_t>(units);
        mmio.pushed = driver().device().push_buffer({send_ring_.data + std::size_t{begin} * kWqeUnit, bytes});
    }
    send_rung_ = send_producer_;
    sends_rung_ = sends_posted_;
    driver().doorbells().store(mmio, record_);
}

// Rings at the end of a flush for posts during it. Software may be ahead of the simulation, and the NIC must not learn
// of later posts.
void Qp::ring_held_doorbell() {
    if (flushes_ > 0 || !doorbell_held_until_) {
        release();
        return;
    }
    if (*doorbell_held_until_ > driver().now()) {
        [[maybe_unused]] const auto deadline =
            driver().callbacks().set_deadline_at(*doorbell_held_until_, [this] { ring_held_doorbell(); });
        return;
    }
    driver().callbacks().defer(driver().now(), [this] {
        if (flushes_ == 0 && doorbell_held_until_ && *doorbell_held_until_ <= driver().now()) {
            doorbell_held_until_.reset();
            ring_send_doorbell();
        }
        ring_held_doorbell();
    });
}

}  // namespace ndsim::core

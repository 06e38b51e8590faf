// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/deferred_sends.hpp"

#include <algorithm>

#include "ndapi/core/driver.hpp"

namespace ndsim::core {

void DeferredSends::posted(bool deferred) {
    if (is_rung_for(deferred)) {
        ring();
    }
}

// Whether to ring now for the last posted request and the deferred ones before it.
bool DeferredSends::is_rung_for(bool deferred) const {
    const AdapterParams& adapter = driver_.params().adapter;
    switch (adapter.defer_policy) {
        case DeferPolicy::until_tail:
            return !deferred;
        case DeferPolicy::never:
            return true;
        case DeferPolicy::max_n:
            return !deferred || count() >= adapter.defer_max;
    }
    return true;
}

void DeferredSends::ring_for_all() {
    if (rung_.units != ring_.units) {
        ring();
    }
}

void DeferredSends::ring() {
    if (suspended_ > 0 || held_until_) {
        held_until_ = std::max(driver_.core().clock(), held_until_.value_or(Picoseconds{}));
        return;
    }
    Mmio mmio;
    mmio.kind = MmioKind::sq_doorbell;
    mmio.queue = raw(qp_);
    mmio.index = ring_.units;
    mmio.entries = ring_.posted;
    const std::uint32_t units = ring_.units - rung_.units;
    const std::uint32_t begin = rung_.units % ring_.capacity;
    const std::size_t bytes = std::size_t{units} * kWqeUnit;
    // Behind other requests it would wait in the NIC anyway, and cost CPU and link for nothing.
    const bool is_alone = ring_.posted - ring_.reclaimed == 1 && units > 0;
    if (is_alone && begin + units <= ring_.capacity && bytes <= driver_.params().nic.queues.wqe_push_max) {
        mmio.pushed_units = static_cast<std::uint16_t>(units);
        mmio.pushed = driver_.device().push_buffer({ring_.memory.data + std::size_t{begin} * kWqeUnit, bytes});
    }
    rung_ = ring_.end();
    driver_.doorbells().store(mmio, record_);
}

void DeferredSends::suspend(const SendRing::End& told) {
    if (static_cast<std::int32_t>(told.requests - rung_.requests) > 0) {
        rung_ = told;
    }
    ++suspended_;
}

void DeferredSends::resume(const std::function<void()>& then) {
    --suspended_;
    ring_held(then);
}

// Software may be ahead of the simulation, and the NIC must not learn of later posts.
void DeferredSends::ring_held(const std::function<void()>& then) {
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

}  // namespace ndsim::core

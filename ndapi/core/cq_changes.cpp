// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ndapi/core/cq.hpp"

// Changes of a completion queue in use: its ring, and the moderation of its interrupts.

namespace ndsim::core {

// The NIC copies nothing. It writes an entry to the old ring that announces the move, and continues in the new one;
// polls do the same when they get there. So entries stay in place, and in order [K169].
NTSTATUS Cq::resize(std::uint32_t depth, std::function<void(NTSTATUS)> done) {
    if (placed_ - consumer_ > depth) {
        return STATUS_BUFFER_OVERFLOW;
    }
    const QueueParams& params = driver_.params().nic.queues;
    const CqRing ring = next_rings_.emplace_back(make_ring(depth));
    // Until the answer the NIC may judge by either depth.
    update_every_ = std::min(update_every_, update_every(depth, params));
    ++resizes_pending_;
    hold();
    const CqResize resize{number_, ring.memory.base, ring.entries, depth, consumer_};
    driver_.command(ResizeCq{resize, &resize_taken_}, [this, depth, at = ring.memory.base, done = std::move(done)] {
        resized(depth, at);
        const NTSTATUS status = resize_taken_ ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
        driver_.callbacks().defer(driver_.now(), [this, done, status] {
            done(status);
            release();
        });
    });
    return STATUS_PENDING;
}

// The NIC has answered: it has taken the ring, or holds more entries than software has seen.
void Cq::resized(std::uint32_t depth, Address ring) {
    --resizes_pending_;
    if (resize_taken_) {
        depth_ = depth;
        if (moderation_) {
            moderate_in_nic();  // the depth limits the count
        }
    } else {
        std::erase_if(next_rings_, [ring](const CqRing& next) { return next.memory.base == ring; });
        driver_.memory().remove(ring);
    }
    if (resizes_pending_ == 0) {
        update_every_ = update_every(depth_, driver_.params().nic.queues);
    }
}

void Cq::go_on_in_next_ring() {
    driver_.memory().remove(ring_.memory.base);
    ring_ = next_rings_.front();
    ring_.base = consumer_;
    next_rings_.pop_front();
}

void Cq::moderate(const Moderation& moderation) {
    moderation_ = moderation;
    moderate_in_nic();
}

// A count that the queue cannot reach is no limit; without an interval, a full queue is the limit.
void Cq::moderate_in_nic() {
    Moderation moderation = *moderation_;
    if (moderation.count && *moderation.count > depth_) {
        moderation.count = moderation.interval ? std::nullopt : std::optional(depth_);
    }
    driver_.command(ModerateCq{number_, moderation}, [] {});
}

}  // namespace ndsim::core

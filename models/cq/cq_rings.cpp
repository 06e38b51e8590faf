// SPDX-License-Identifier: Apache-2.0
#include "models/cq/cq_rings.hpp"

#include "models/parts/cq_watch.hpp"
#include "models/proto/cqe.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

void CqRings::create(const CqAttributes& attributes) {
    CqRing& ring = grown(rings_, raw(attributes.cq));
    ring = {};
    ring.base = attributes.ring;
    ring.entries = attributes.entries;
    ring.limit = attributes.limit;
    ring.watch = attributes.watch;
}

void CqRings::move(const CqResize& resize) {
    CqRing& ring = rings_[raw(resize.cq)];
    ring.base = resize.ring;
    ring.entries = resize.entries;
    ring.limit = resize.limit;
    ring.first = static_cast<std::uint32_t>(ring.produced);
}

void CqRings::add(CqNum cq, Picoseconds at) {
    CqRing& ring = rings_[raw(cq)];
    ++ring.produced;
    if (ring.watch != nullptr) {
        ring.watch->entries.take(1, at);
    }
}

// Two cores that poll one queue may store their indices in the wrong order.
void CqRings::polled(CqNum cq, std::uint32_t consumer, Picoseconds at) {
    CqRing& ring = rings_.at(raw(cq));
    if (static_cast<std::int32_t>(consumer - ring.consumed) <= 0) {
        return;
    }
    if (ring.watch != nullptr) {
        ring.watch->entries.give(consumer - ring.consumed, at);
    }
    ring.consumed = consumer;
}

bool CqRings::is_at_beginning(CqNum cq) const {
    const CqRing& ring = rings_[raw(cq)];
    return ring.place() % ring.entries == 0;
}

CqRings::Place CqRings::next_place(CqNum cq) const {
    const CqRing& ring = rings_[raw(cq)];
    const std::uint32_t place = ring.place();
    return {ring.base + std::uint64_t{place % ring.entries} * kCqeSize, cqe_owner_of(place, ring.entries)};
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/receive_rings.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/slots.hpp"

namespace ndsim {

ReceiveRings::ReceiveRings(Timeline& timeline, const WqeParams& params, HostId host, Ledgers& ledgers,
                           PayloadPool& payloads, RingOwner& owner, sc_core::sc_port<DmaPort>& dma, EngineTimes& times)
    : timeline_(timeline),
      prefetch_(params.rq_prefetch),
      batch_(params.rq_fetch_batch),
      host_(host),
      ledgers_(ledgers),
      fetcher_(timeline, owner, dma, ReadClass::receive_wqe, payloads, &times) {}

std::uint32_t ReceiveRings::create(std::uint32_t stride, Address ring, std::uint32_t entries, const Watches& watches) {
    const std::uint32_t index = indices_.take();
    grown(rings_, index) = {};
    rings_[index].stride = stride;
    rings_[index].watches = watches;
    rings_[index].open = true;
    fetcher_.create(index, ring, entries * stride);
    return index;
}

void ReceiveRings::move(std::uint32_t index, Address ring, std::uint32_t entries) {
    fetcher_.move(index, ring, entries * rings_[index].stride);
}

void ReceiveRings::announce(std::uint32_t index, std::uint32_t producer) {
    ReceiveRing& ring = rings_[index];
    // A command, or a faster doorbell of another core, may have announced as much already.
    if (static_cast<std::int32_t>(producer - ring.producer) <= 0) {
        return;
    }
    if (ring.watches.ready != nullptr) {
        ring.watches.ready->take(producer - ring.producer, timeline_.now());
    }
    ring.producer = producer;
    fetcher_.announce(index, producer * ring.stride);
    fetcher_.fetch(index);
    if (ring.watches.announced != nullptr && *ring.watches.announced) {
        (*ring.watches.announced)(producer);
    }
}

std::uint32_t ReceiveRings::wanted(std::uint32_t index, std::uint32_t there) const {
    const ReceiveRing& ring = rings_[index];
    if (!ring.open) {
        return 0;
    }
    const std::uint32_t ahead = ring.fetched - ring.consumed;
    // At most half of the prefetch, so that one half is under way while messages take the other.
    const std::uint32_t batch = std::clamp(batch_ / ring.stride, 1U, std::max(1U, prefetch_ / 2));
    const std::uint32_t room = prefetch_ > ahead ? prefetch_ - ahead : 0;
    const std::uint32_t wanted = std::min(there / ring.stride, batch);
    // A small top-up waits until it fits whole, unless nothing is left; behind another read, until it is a batch.
    if ((room < wanted && ahead > 0) || (wanted < batch && fetcher_.reading(index))) {
        return 0;
    }
    return std::min(wanted, room) * ring.stride;
}

void ReceiveRings::reading(std::uint32_t index, std::uint32_t units) {
    ReceiveRing& ring = rings_[index];
    ring.fetched += units / ring.stride;
    if (ring.watches.fetched != nullptr) {
        ring.watches.fetched->take(units / ring.stride, timeline_.now());
    }
}

void ReceiveRings::arrived(std::uint32_t index, std::span<const std::byte> units) {
    ReceiveRing& ring = rings_[index];
    const std::size_t entry = std::size_t{ring.stride} * kWqeUnit;
    for (; !units.empty(); units = units.subspan(entry)) {
        Wqe* const wqe = wqes_.take();
        decode_wqe(units.first(entry), *wqe);
        ring.ready.push(wqe);
        ring.accepted += ring.stride;
        ledgers_.mark({host_, wqe->header.request},
                      {{Account::doorbell, fetcher_.announced(index, ring.accepted)},
                       {Account::message, fetcher_.begun(index)},  // until then it was not among the next ones
                       {Account::wqe_fetch, timeline_.now()}});
    }
    fetcher_.fetch(index);
}

void ReceiveRings::take(std::uint32_t index, Wqe& into) {
    ReceiveRing& ring = rings_[index];
    Wqe* const wqe = ring.ready.pop();
    std::swap(into, *wqe);
    wqes_.give(wqe);
    ++ring.consumed;
    if (ring.watches.ready != nullptr) {
        ring.watches.ready->give(1, timeline_.now());
        ring.watches.fetched->give(1, timeline_.now());
    }
}

void ReceiveRings::begin_flush(std::uint32_t index) {
    ReceiveRing& ring = rings_[index];
    const auto fetched = static_cast<std::int32_t>(ring.fetched - ring.consumed);
    if (ring.watches.fetched != nullptr && fetched > 0) {
        ring.watches.fetched->give(static_cast<std::uint32_t>(fetched), timeline_.now());
    }
    if (ring.watches.ready != nullptr) {
        ring.watches.ready->give(ring.left(), timeline_.now());
    }
}

// Every receive is one entry, so unfetched receives can be flushed by their number alone.
std::optional<ReceiveRings::Flushed> ReceiveRings::flush_next(std::uint32_t index) {
    ReceiveRing& ring = rings_[index];
    if (ring.left() == 0) {
        fetcher_.skip(index);
        return std::nullopt;
    }
    Flushed flushed{ring.consumed++, std::nullopt};
    if (!ring.ready.empty()) {
        Wqe* const wqe = ring.ready.pop();
        flushed.request = wqe->header.request;
        wqes_.give(wqe);
    }
    return flushed;
}

}  // namespace ndsim

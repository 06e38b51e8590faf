// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/wqe_fetcher.hpp"

#include <algorithm>
#include <utility>

#include "models/parts/ranks.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

WqeFetcher::WqeFetcher(Timeline& timeline, RingOwner& owner, sc_core::sc_port<DmaPort>& dma, ReadClass cls,
                       PayloadPool& payloads, EngineTimes* times)
    : timeline_(timeline),
      owner_(owner),
      dma_(dma),
      cls_(cls),
      payloads_(payloads),
      times_(times),
      arrivals_(*this, timeline, kRankWqe) {}

void WqeFetcher::create(std::uint32_t ring, Address base, std::uint32_t units) {
    grown(rings_, ring) = {};
    move(ring, base, units);
}

void WqeFetcher::move(std::uint32_t ring, Address base, std::uint32_t units) {
    rings_[ring].base = base;
    rings_[ring].size = units;
}

void WqeFetcher::announce(std::uint32_t ring, std::uint32_t producer) {
    rings_[ring].producer = producer;
    rings_[ring].announced.push({producer, timeline_.now()});
}

void WqeFetcher::fetch(std::uint32_t ring) {
    while (fetch_once(ring)) {
    }
}

bool WqeFetcher::fetch_once(std::uint32_t ring) {
    RingState& state = rings_[ring];
    if (state.requested == state.producer) {
        return false;
    }
    const std::uint32_t to_end = state.size - state.requested % state.size;
    const std::uint32_t units = owner_.wanted(ring, std::min(state.producer - state.requested, to_end));
    if (units == 0) {
        return false;
    }
    const PayloadRef buffer = payloads_.take();
    const ReadPiece piece{state.base + std::uint64_t{state.requested % state.size} * kWqeUnit, units * kWqeUnit,
                          payloads_.data(buffer)};
    const std::uint32_t read = take_slot(reads_, free_reads_);
    if (!dma_->try_read(cls_, {&piece, 1}, read, {}, *this)) {
        free_reads_.push_back(read);
        payloads_.give(buffer);
        fetch_later(ring);
        return false;
    }
    reads_[read] = {ring, units, 0, false, false, buffer, timeline_.now()};
    if (state.under_way++ == 0) {
        state.oldest = read;
    } else {
        reads_[state.youngest].next = read;
    }
    state.youngest = read;
    state.requested += units;
    ++under_way_;
    ++reads_made_;
    units_read_ += units;
    owner_.reading(ring, units);
    note();
    return true;
}

void WqeFetcher::note() {
    if (times_ != nullptr) {
        times_->enter(!later_.empty() ? kRefused : under_way_ > 0 ? kReading : kIdle, timeline_.now());
    }
}

void WqeFetcher::fetch_later(std::uint32_t ring) {
    if (!std::exchange(rings_[ring].wants_fetch, true)) {
        later_.push(ring);
        note();
    }
}

void WqeFetcher::retry() {
    for (std::size_t n = later_.size(); n > 0; --n) {
        const std::uint32_t ring = later_.pop();
        rings_[ring].wants_fetch = false;
        fetch(ring);
    }
    note();
}

void WqeFetcher::skip(std::uint32_t ring) {
    rings_[ring].requested = rings_[ring].producer;
    if (!reading(ring)) {
        rings_[ring].begun = timeline_.now();
    }
}

void WqeFetcher::rewind(std::uint32_t ring, std::uint32_t place) {
    rings_[ring].requested = place;
    for (std::uint32_t n = rings_[ring].under_way, read = rings_[ring].oldest; n > 0; --n, read = reads_[read].next) {
        reads_[read].discard = true;
    }
}

Picoseconds WqeFetcher::announced(std::uint32_t ring, std::uint32_t place) {
    // The first doorbell whose producer index is not before `place`.
    Ring<Announcement>& doorbells = rings_[ring].announced;
    while (static_cast<std::int32_t>(place - doorbells.front().producer) > 0) {
        doorbells.pop();
    }
    return doorbells.front().at;
}

void WqeFetcher::read_arrives(std::uint32_t read, Interval data) {
    arrivals_.push(std::max(timeline_.now(), data.end), read);
}

// A read answered before an earlier one waits for it.
void WqeFetcher::units_arrive(const std::uint32_t& read) {
    const std::uint32_t ring = reads_[read].ring;
    reads_[read].there = true;
    while (reading(ring) && reads_[rings_[ring].oldest].there) {
        hand_over_oldest(ring);
    }
    note();
}

void WqeFetcher::hand_over_oldest(std::uint32_t ring) {
    RingState& state = rings_[ring];
    // The owner may begin the next read meanwhile, in the same place.
    const Read read = reads_[state.oldest];
    free_reads_.push_back(state.oldest);
    state.oldest = read.next;
    state.begun = read.begun;
    --state.under_way;
    --under_way_;
    if (read.discard) {
        owner_.discarded(ring, read.units);
        fetch(ring);
    } else {
        owner_.arrived(ring, {payloads_.data(read.buffer), std::size_t{read.units} * kWqeUnit});
    }
    payloads_.give(read.buffer);
}

}  // namespace ndsim

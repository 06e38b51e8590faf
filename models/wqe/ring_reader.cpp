// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/ring_reader.hpp"

#include <algorithm>
#include <utility>

#include "models/ports/ranks.hpp"

namespace ndsim {

RingReader::RingReader(Timeline& timeline, RingOwner& owner, sc_core::sc_port<DmaPort>& dma, ReadClass cls,
                       PayloadPool& payloads, EngineTimes* times)
    : timeline_(timeline),
      owner_(owner),
      dma_(dma),
      cls_(cls),
      payloads_(payloads),
      times_(times),
      arrivals_(*this, timeline, kRankWqe) {}

void RingReader::create(std::uint32_t ring, Address base, std::uint32_t units) {
    if (rings_.size() <= ring) {
        rings_.resize(ring + 1);
    }
    rings_[ring].base = base;
    rings_[ring].size = units;
}

void RingReader::announce(std::uint32_t ring, std::uint32_t producer) {
    rings_[ring].producer = producer;
    rings_[ring].announced.push({producer, timeline_.now()});
}

void RingReader::fetch(std::uint32_t ring) {
    Reading& state = rings_[ring];
    if (state.reading || state.requested == state.producer) {
        return;
    }
    const std::uint32_t to_end = state.size - state.requested % state.size;
    const std::uint32_t units = owner_.wanted(ring, std::min(state.producer - state.requested, to_end));
    if (units == 0) {
        return;
    }
    const PayloadRef buffer = payloads_.take();
    const ReadPiece piece{state.base + std::uint64_t{state.requested % state.size} * kWqeUnit, units * kWqeUnit,
                          payloads_.data(buffer)};
    if (!dma_->try_read(cls_, {&piece, 1}, ring, {}, *this)) {
        payloads_.give(buffer);
        fetch_later(ring);
        return;
    }
    state.reading = true;
    state.units = units;
    state.buffer = buffer;
    state.begun = timeline_.now();
    state.requested += units;
    ++under_way_;
    ++reads_;
    units_read_ += units;
    owner_.reading(ring, units);
    note();
}

void RingReader::note() {
    if (times_ != nullptr) {
        times_->enter(!later_.empty() ? kRefused : under_way_ > 0 ? kReading : kIdle, timeline_.now());
    }
}

void RingReader::fetch_later(std::uint32_t ring) {
    if (!std::exchange(rings_[ring].wants_fetch, true)) {
        later_.push(ring);
        note();
    }
}

void RingReader::retry() {
    for (std::size_t n = later_.size(); n > 0; --n) {
        const std::uint32_t ring = later_.pop();
        rings_[ring].wants_fetch = false;
        fetch(ring);
    }
    note();
}

void RingReader::skip(std::uint32_t ring) {
    rings_[ring].requested = rings_[ring].producer;
    if (!rings_[ring].reading) {
        rings_[ring].begun = timeline_.now();
    }
}

void RingReader::rewind(std::uint32_t ring, std::uint32_t place) {
    rings_[ring].requested = place;
    rings_[ring].discard = rings_[ring].reading;
}

Picoseconds RingReader::announced(std::uint32_t ring, std::uint32_t place) {
    // The first doorbell whose producer index does not lie before it.
    Ring<Announcement>& doorbells = rings_[ring].announced;
    while (static_cast<std::int32_t>(place - doorbells.front().producer) > 0) {
        doorbells.pop();
    }
    return doorbells.front().at;
}

void RingReader::read_space(ReadClass) {
    retry();
}

void RingReader::read_arrives(std::uint32_t ring, Interval data) {
    arrivals_.push(std::max(timeline_.now(), data.end), ring);
}

void RingReader::units_arrive(const std::uint32_t& ring) {
    Reading& state = rings_[ring];
    state.reading = false;
    --under_way_;
    // The owner may begin the next read meanwhile; so this one's buffer is remembered here.
    const PayloadRef buffer = std::exchange(state.buffer, PayloadRef::none);
    if (std::exchange(state.discard, false)) {
        owner_.discarded(ring, state.units);
        fetch(ring);
    } else {
        owner_.arrived(ring, {payloads_.data(buffer), std::size_t{state.units} * kWqeUnit});
    }
    payloads_.give(buffer);
    note();
}

}  // namespace ndsim

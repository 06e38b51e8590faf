// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/ports/dma.hpp"
#include "sim/base/payload_pool.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/engine_times.hpp"

namespace ndsim {

// The owner of a WqeFetcher's rings. Rings are known by index; amounts are units of kWqeUnit, places absolute.
class RingOwner {
public:
    // How much of `ring` to read now, at most `there`; 0 if nothing is wanted.
    [[nodiscard]] virtual std::uint32_t wanted(std::uint32_t ring, std::uint32_t there) = 0;
    // A read of `units` has begun.
    virtual void reading(std::uint32_t ring, std::uint32_t units) = 0;
    virtual void arrived(std::uint32_t ring, std::span<const std::byte> units) = 0;
    // `units` that were read came from places that a rewind has left.
    virtual void discarded(std::uint32_t /*ring*/, std::uint32_t /*units*/) {}

protected:
    ~RingOwner() = default;
};

// WqeFetcher: reads WQEs from rings in host memory by DMA, never beyond the producer index of a doorbell nor over
// the ring's end. A ring may have several reads under way, if its owner wants that; their data is handed over in the
// order of the ring.
class WqeFetcher final : public ReadClient {
public:
    // The states of `times`.
    enum State : std::size_t { kIdle, kReading, kRefused };

    // `times`, if there is one, are those of the fetcher as an engine.
    WqeFetcher(Timeline& timeline, RingOwner& owner, sc_core::sc_port<DmaPort>& dma, ReadClass cls,
               PayloadPool& payloads, EngineTimes* times = nullptr);

    void create(std::uint32_t ring, Address base, std::uint32_t units);
    // From now on the ring's entries are elsewhere; places stay.
    void move(std::uint32_t ring, Address base, std::uint32_t units);
    // The ring holds entries up to `producer`.
    void announce(std::uint32_t ring, std::uint32_t producer);
    // Reads what the owner wants.
    void fetch(std::uint32_t ring);
    // The owner lacks room for all that it wants: retry() calls fetch() later.
    void fetch_later(std::uint32_t ring);
    void retry();
    // Everything announced and not yet requested is there now, and need not be read.
    void skip(std::uint32_t ring);
    // Reads on from `place`; the data of reads under way is discarded.
    void rewind(std::uint32_t ring, std::uint32_t place);

    [[nodiscard]] bool all_requested(std::uint32_t ring) const {
        return rings_[ring].requested == rings_[ring].producer;
    }
    [[nodiscard]] bool reading(std::uint32_t ring) const { return rings_[ring].under_way > 0; }
    [[nodiscard]] std::uint32_t producer(std::uint32_t ring) const { return rings_[ring].producer; }
    [[nodiscard]] std::uint32_t reads_under_way() const { return under_way_; }
    [[nodiscard]] std::uint64_t reads() const { return reads_made_; }
    [[nodiscard]] std::uint64_t units_read() const { return units_read_; }
    // When the last read that was handed over began.
    [[nodiscard]] Picoseconds begun(std::uint32_t ring) const { return rings_[ring].begun; }
    // When the doorbell that announced the units up to `place` was decoded; places only grow.
    [[nodiscard]] Picoseconds announced(std::uint32_t ring, std::uint32_t place);

    void read_arrives(std::uint32_t read, Interval data) override;
    void read_space(ReadClass) override { retry(); }

private:
    // A doorbell's producer index, and its time.
    struct Announcement {
        std::uint32_t producer = 0;
        Picoseconds at{};
    };
    // A ring, and how far it is announced and read.
    struct RingState {
        Address base{};
        std::uint32_t size = 0;
        std::uint32_t producer = 0;
        std::uint32_t requested = 0;
        std::uint32_t under_way = 0;  // reads; the next two are the first and the last of them
        std::uint32_t oldest = 0;
        std::uint32_t youngest = 0;
        bool wants_fetch = false;
        Picoseconds begun{};
        Ring<Announcement> announced;
    };
    // A read under way.
    struct Read {
        std::uint32_t ring = 0;
        std::uint32_t units = 0;
        std::uint32_t next = 0;  // of its ring
        bool discard = false;
        bool there = false;  // it has arrived, and waits for earlier ones
        PayloadRef buffer = PayloadRef::none;
        Picoseconds begun{};
    };

    void units_arrive(const std::uint32_t& read);  // Agenda: a read is there

    [[nodiscard]] bool fetch_once(std::uint32_t ring);
    void hand_over_oldest(std::uint32_t ring);
    void note();

    Timeline& timeline_;
    RingOwner& owner_;
    sc_core::sc_port<DmaPort>& dma_;
    const ReadClass cls_;
    PayloadPool& payloads_;
    EngineTimes* const times_;
    std::vector<RingState> rings_;
    std::vector<Read> reads_;
    std::vector<std::uint32_t> free_reads_;
    Ring<std::uint32_t> later_;  // rings that could not fetch
    Agenda<std::uint32_t, &WqeFetcher::units_arrive> arrivals_;
    std::uint32_t under_way_ = 0;
    std::uint64_t reads_made_ = 0;
    std::uint64_t units_read_ = 0;
};

}  // namespace ndsim

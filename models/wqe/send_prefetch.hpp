// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/doorbells.hpp"
#include "models/ports/qp.hpp"
#include "models/wqe/wqe_fetcher.hpp"
#include "models/wqe/wqe_params.hpp"
#include "models/wqe/wqe_pool.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/stats.hpp"

namespace ndsim {

// SendPrefetch: brings send WQEs into the NIC, in batches ahead of need, up to the producer index of a doorbell. The
// WQEs share a cache and stay there until their queue is through with them. A pushed WQE that comes next after those
// held or being fetched is not fetched itself. Queues are known by index, places are units.
class SendPrefetch {
public:
    static constexpr PoolFacts kCachePool{"cache", "units of fetched WQEs held", PoolUnit::wqe_units, "nic.wqe_cache"};

    // The fetcher of the rings reports to `fetcher_owner`, which asks here for the answers.
    SendPrefetch(Unit& owner, Timeline& timeline, const WqeParams& params, HostId host, Ledgers& ledgers,
                 PayloadPool& payloads, RingOwner& fetcher_owner, sc_core::sc_port<DmaPort>& dma);

    void create(const QpAttributes& attributes);
    void destroy(std::uint32_t index) { queues_[index].present = false; }

    // Whether WQEs up to `producer` are announced already.
    [[nodiscard]] bool is_announced(std::uint32_t index, std::uint32_t producer) const {
        return static_cast<std::int32_t>(producer - fetcher_.producer(index)) <= 0;
    }
    // A doorbell announces more. True if it has brought units that are in the cache now.
    [[nodiscard]] bool announce(const SqDoorbell& doorbell, bool may_push);
    // The latest doorbell of the queue has not found its context, which comes later, unless the queue pair fails
    // before.
    void wait_for_context(std::uint32_t index);
    void end_context_wait(std::uint32_t index);
    // Reads as much as there is room for.
    void fetch(std::uint32_t index) { fetcher_.fetch(index); }
    // The WQE at the front of the queue is no longer needed. finish_front() also reads others into its room.
    void drop_front(std::uint32_t index);
    void finish_front(std::uint32_t index);
    // Continues with the WQE at `place`; units held of other WQEs are given back.
    void go_to(std::uint32_t index, std::uint32_t place);

    // The fetcher's questions and reports.
    [[nodiscard]] std::uint32_t wanted(std::uint32_t index, std::uint32_t there);
    void reading(std::uint32_t index, std::uint32_t units);
    void discarded(std::uint32_t index, std::uint32_t units) { give_back(queues_[index], units); }
    void take_units(std::uint32_t index, std::span<const std::byte> bytes);
    // WQEs pushed meanwhile come next. True if there were any.
    [[nodiscard]] bool take_behind_read(std::uint32_t index);

    [[nodiscard]] bool has_ready(std::uint32_t index) const { return !queues_[index].ready.empty(); }
    [[nodiscard]] const Wqe& front(std::uint32_t index) const { return *queues_[index].ready.front(); }
    [[nodiscard]] std::uint32_t front_place(std::uint32_t index) const { return queues_[index].front; }
    [[nodiscard]] bool all_requested(std::uint32_t index) const { return fetcher_.all_requested(index); }
    [[nodiscard]] bool is_reading(std::uint32_t index) const { return fetcher_.reading(index); }
    [[nodiscard]] bool reads_anything() const { return fetcher_.reads_under_way() > 0; }
    // Some queue has nothing ready, and no room for its next WQE.
    [[nodiscard]] bool starves() const { return starved_ > 0; }
    [[nodiscard]] bool any_awaits_context() const { return awaiting_context_ > 0; }
    void report(StatSink& sink) const;

private:
    // The fetched part of a send queue.
    struct FetchedQueue {
        bool present = false;
        bool starved = false;  // has nothing ready, and no room for its next WQE
        bool awaits_context = false;
        std::uint32_t accepted = 0;                  // units of whole WQEs, absolute, as all places
        std::uint32_t front = 0;                     // place of ready.front()
        std::uint32_t seen = 0;                      // WQEs up to here were fetched at least once
        std::uint32_t held_units = 0;                // in the cache
        std::optional<Picoseconds> no_room_since{};  // for its next read
        Interval no_room{};                          // the wait of its next read
        Interval read_waited{};                      // the wait of the read under way
        Interval context_wait{};                     // the latest one
        QpWatch* watch = nullptr;
        std::uint32_t entries = 0;           // announced, absolute
        std::vector<std::byte> partial;      // units of a WQE that has only partly arrived
        std::vector<std::byte> behind_read;  // pushed WQEs that come after the read under way
        Ring<Wqe*> ready;
    };

    [[nodiscard]] bool take_pushed(std::uint32_t index, std::span<const std::byte> units);
    void note_room(FetchedQueue& queue, bool has_room);
    void accept(std::uint32_t index, std::span<const std::byte> bytes);
    void give_back(FetchedQueue& queue, std::uint32_t units) {
        queue.held_units -= units;
        cache_.give(units, now());
    }
    [[nodiscard]] Picoseconds now() const { return timeline_.now(); }

    Timeline& timeline_;
    const std::uint32_t batch_;  // units
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    WqePool wqes_;
    std::vector<FetchedQueue> queues_;
    std::uint32_t starved_ = 0;
    std::uint32_t awaiting_context_ = 0;
    WqeFetcher fetcher_;
    Pool cache_;
    std::uint64_t pushed_taken_ = 0;
    std::uint64_t pushed_dropped_ = 0;
    std::uint64_t cut_fetches_ = 0;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/dma.hpp"
#include "models/wqe/wqe_fetcher.hpp"
#include "models/wqe/wqe_params.hpp"
#include "models/wqe/wqe_pool.hpp"
#include "sim/base/resting_numbers.hpp"
#include "sim/kernel/pool.hpp"

namespace ndsim {

// ReceiveRings: the rings of receives in host memory, and their receives fetched ahead. A ring is known by its index;
// receives are counted from its creation on. A closed ring fetches nothing more; then its receives are flushed.
class ReceiveRings {
public:
    // For observers: receives that are ready, those that are fetched or being fetched, and all that have been
    // announced.
    struct Watches {
        Pool* ready = nullptr;
        Pool* fetched = nullptr;
        const std::function<void(std::uint32_t)>* announced = nullptr;
    };
    // A receive that ends without a message.
    struct Flushed {
        std::uint32_t number = 0;
        std::optional<std::uint32_t> request;  // its number for traces, if it has been fetched
    };

    // The fetcher of the rings reports to `owner`, which asks here for the answers.
    ReceiveRings(Timeline& timeline, const WqeParams& params, HostId host, Ledgers& ledgers, PayloadPool& payloads,
                 RingOwner& owner, sc_core::sc_port<DmaPort>& dma, EngineTimes& times);

    // A ring for `entries` receives of `stride` units. Returns its index.
    [[nodiscard]] std::uint32_t create(std::uint32_t stride, Address ring, std::uint32_t entries,
                                       const Watches& watches);
    // Receives not yet read come from another ring.
    void move(std::uint32_t index, Address ring, std::uint32_t entries);
    // Receives are posted up to number `producer`.
    void announce(std::uint32_t index, std::uint32_t producer);
    void take(std::uint32_t index, Wqe& into);
    // Reads as much as there is room for.
    void fetch(std::uint32_t index) { fetcher_.fetch(index); }
    void close(std::uint32_t index) { rings_[index].open = false; }
    // Everything left in a closed ring will be flushed now.
    void begin_flush(std::uint32_t index);
    [[nodiscard]] std::optional<Flushed> flush_next(std::uint32_t index);
    // The index may from now on belong to another ring.
    void release(std::uint32_t index) {
        rings_[index].watches = {};
        indices_.give(index);
    }

    // The fetcher's questions and reports; nothing of a closed ring arrives.
    [[nodiscard]] std::uint32_t wanted(std::uint32_t index, std::uint32_t there) const;
    void reading(std::uint32_t index, std::uint32_t units);
    void arrived(std::uint32_t index, std::span<const std::byte> units);

    [[nodiscard]] bool is_open(std::uint32_t index) const { return rings_[index].open; }
    [[nodiscard]] bool is_reading(std::uint32_t index) const { return fetcher_.reading(index); }
    // left(): posted and not yet used. ready(): those of them in the NIC.
    [[nodiscard]] std::uint32_t left(std::uint32_t index) const { return rings_[index].left(); }
    [[nodiscard]] std::size_t ready(std::uint32_t index) const { return rings_[index].ready.size(); }
    [[nodiscard]] std::uint64_t reads() const { return fetcher_.reads(); }

private:
    // A ring of receives.
    struct ReceiveRing {
        std::uint32_t stride = 0;  // units
        Watches watches;
        bool open = false;
        std::uint32_t producer = 0;  // in entries, absolute, as all below
        std::uint32_t fetched = 0;   // or being fetched
        std::uint32_t consumed = 0;
        std::uint32_t accepted = 0;  // in units
        Ring<Wqe*> ready;

        [[nodiscard]] std::uint32_t left() const { return producer - consumed; }
    };

    Timeline& timeline_;
    const std::uint32_t prefetch_;
    const std::uint32_t batch_;  // units
    const HostId host_;
    Ledgers& ledgers_;
    WqePool wqes_;
    RestingNumbers indices_;
    std::vector<ReceiveRing> rings_;
    WqeFetcher fetcher_;
};

}  // namespace ndsim

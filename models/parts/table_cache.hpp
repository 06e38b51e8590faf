// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "models/parts/ranks.hpp"
#include "models/ports/dma.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/lru_cache.hpp"
#include "sim/base/ring.hpp"
#include "sim/base/slots.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// The contents of a TableCache, and the table that fills it.
struct TableShape {
    ReadClass cls{};
    std::uint32_t held = 0;         // entries in the NIC at once
    std::uint32_t fetches = 0;      // entries on their way at once
    std::uint64_t entry_bytes = 0;  // read for each entry
    std::uint64_t table_bytes = 0;  // if there are more entries than fit, some share a place
    const PoolFacts& held_pool;
    const PoolFacts& fetches_pool;
    std::string_view misses_sentence;
};

template <class Waiter>
// Hears that entries have arrived in a TableCache.
class TableClient {
public:
    virtual void entry_arrived(const Waiter& waiter) = 0;

protected:
    ~TableClient() = default;
};

// TableCache: entries of a table in host memory, of which the NIC holds the most recently used. A unit that needs
// another entry waits until it has been read over PCIe; the entry unused for longest makes room for it.
template <class Waiter>
class TableCache final : public ReadClient {
public:
    TableCache(Unit& owner, Timeline& timeline, TableClient<Waiter>& client, sc_core::sc_port<DmaPort>& dma,
               const TableShape& shape)
        : owner_(owner),
          client_(client),
          dma_(dma),
          shape_(shape),
          scratch_(shape.entry_bytes),
          arrivals_(*this, timeline, kRankContext),
          fetches_(owner, shape.fetches_pool, shape.fetches),
          entries_(owner, shape.held_pool, shape.held) {}

    void table_at(Address base) { table_ = base; }

    // Whether the entry is here; if so, it becomes the most recently used.
    [[nodiscard]] bool use(std::uint64_t key) { return held_.use(key) != nullptr; }
    // Whether the entry is being fetched, or waits to be.
    [[nodiscard]] bool is_wanted(std::uint64_t key) const { return slots_.look(key) != nullptr; }

    void take_in(std::uint64_t key) {
        if (use(key)) {
            return;
        }
        if (held_.size() == shape_.held) {
            held_.take_oldest();
            entries_.give(1, owner_.now());
        }
        held_.insert(key, {});
        entries_.take(1, owner_.now());
    }

    void forget(std::uint64_t key) {
        if (held_.look(key) != nullptr) {
            held_.erase(key);
            entries_.give(1, owner_.now());
        }
    }

    // Whether this waiter has already asked for the entry.
    [[nodiscard]] bool waits(std::uint64_t key, const Waiter& waiter) const {
        const std::uint32_t* const slot = slots_.look(key);
        return slot != nullptr && std::find(wanted_[*slot].waiters.begin(), wanted_[*slot].waiters.end(), waiter) !=
                                      wanted_[*slot].waiters.end();
    }

    // Fetches a missing entry. entry_arrived() follows once for each call.
    void want(std::uint64_t key, const Waiter& waiter) {
        if (const std::uint32_t* const slot = slots_.look(key)) {
            wanted_[*slot].waiters.push_back(waiter);
            return;
        }
        ++misses_;
        const std::uint32_t slot = take_slot(wanted_, free_);
        wanted_[slot].key = key;
        wanted_[slot].waiters.assign(1, waiter);
        slots_.insert(key, slot);
        waiting_.push(slot);
        fetch();
    }

    void read_arrives(std::uint32_t slot, Interval data) override {
        arrivals_.push(std::max(owner_.now(), data.end), slot);
    }
    void read_space(ReadClass) override { fetch(); }

    void report(StatSink& sink) const { sink.add("misses", misses_, StatUnit::count, shape_.misses_sentence); }
    void check_idle() const {
        if (free_.size() != wanted_.size() || fetches_.occupancy().level() > 0) {
            throw InvariantError(owner_.name(), owner_.now(),
                                 "entries of its table are still being fetched at the end");
        }
    }

private:
    struct Held {};
    // An entry being fetched, or waiting to be, and its waiters.
    struct Wanted {
        std::uint64_t key = 0;
        std::vector<Waiter> waiters;
    };

    void fetch() {
        while (!waiting_.empty() && fetches_.available(owner_.now()) > 0) {
            const std::uint32_t slot = waiting_.front();
            const std::uint64_t place = wanted_[slot].key % (shape_.table_bytes / shape_.entry_bytes);
            const ReadPiece piece{table_ + place * shape_.entry_bytes, static_cast<std::uint32_t>(shape_.entry_bytes),
                                  scratch_.data()};
            if (!dma_->try_read(shape_.cls, {&piece, 1}, slot, {}, *this)) {
                return;  // read_space() follows
            }
            waiting_.pop();
            fetches_.take(1, owner_.now());
        }
    }

    // Agenda: an entry is in the NIC.
    void arrived(const std::uint32_t& slot) {
        fetches_.give(1, owner_.now());
        const std::uint64_t key = wanted_[slot].key;
        slots_.erase(key);
        take_in(key);
        told_.swap(wanted_[slot].waiters);
        free_.push_back(slot);
        for (const Waiter& waiter : told_) {
            client_.entry_arrived(waiter);
        }
        told_.clear();
        fetch();
    }

    Unit& owner_;
    TableClient<Waiter>& client_;
    sc_core::sc_port<DmaPort>& dma_;
    const TableShape shape_;
    Address table_{};
    LruCache<Held> held_;
    LruCache<std::uint32_t> slots_;  // of the wanted entries
    std::vector<Wanted> wanted_;
    std::vector<std::uint32_t> free_;
    Ring<std::uint32_t> waiting_;     // slots still to be fetched
    std::vector<std::byte> scratch_;  // fetched bytes go here; the simulator knows their content
    std::vector<Waiter> told_;

    Agenda<std::uint32_t, &TableCache::arrived> arrivals_;
    Pool fetches_;
    Pool entries_;
    std::uint64_t misses_ = 0;
};

}  // namespace ndsim

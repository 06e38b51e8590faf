// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/cq/cq_rings.hpp"
#include "models/cq/cq_times.hpp"
#include "models/cq/queue_deadlines.hpp"
#include "models/ledger/ledger.hpp"
#include "models/parts/queue_params.hpp"
#include "models/ports/dma.hpp"
#include "models/proto/cqe.hpp"
#include "sim/base/payload_pool.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// EntryWriter: writes entries into the rings: one write per completion, or several completions compressed into one
// entry. A compressed entry waits until it is full, a completion comes that cannot share it, or its time is over.
class EntryWriter final : private WriteClient {
public:
    EntryWriter(Unit& owner, Timeline& timeline, const QueueParams& params, HostId host, Ledgers& ledgers,
                PayloadPool& payloads, const CqRings& rings, CqTimes& times, sc_core::sc_port<DmaPort>& dma);

    void create(CqNum cq);
    // Writes a completion to the next place of the ring, behind the payload written before if it is `bulk`.
    void put(CqNum cq, const Cqe& cqe, bool bulk);
    // Writes an entry that says that the queue has moved to another ring.
    void put_moved(CqNum cq);
    // flush() writes the waiting entry now, as does the end of its time; forget() drops it.
    void flush(CqNum cq);
    void flush_all() { deadlines_.end_all(); }
    void forget(CqNum cq);

    [[nodiscard]] bool is_gathering(CqNum cq) const { return queues_[raw(cq)].gathering.has_value(); }
    // Whether entries behind payload are not yet on PCIe. Entries of a queue stay in order, so the next one is bulk.
    [[nodiscard]] bool has_bulk_under_way(CqNum cq) const { return queues_[raw(cq)].bulk_under_way > 0; }
    [[nodiscard]] std::uint64_t entry_writes() const { return entry_writes_; }
    [[nodiscard]] std::uint64_t gathered() const { return gathered_; }

private:
    // Data on its way to a place in a ring.
    struct Entry {
        Address to{};
        PayloadRef data = PayloadRef::none;
        Picoseconds ready{};
        bool bulk = false;
    };
    // The writer's state of a completion queue.
    struct Queue {
        std::optional<std::uint32_t> gathering;  // slot of the entry that waits for more completions
        std::uint32_t bulk_under_way = 0;        // entries behind payload whose write is not yet on PCIe
    };
    // An entry on its way to host memory, and the requests that it completes.
    struct Written {
        CqNum cq{};
        bool bulk = false;
        std::uint32_t count = 0;
        std::array<std::uint32_t, kMostCompressed> requests{};
        // While it waits for more completions:
        Entry entry;
        Cqe first;
    };

    void write_waited(std::uint32_t slot, Interval wait) override;
    void write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) override;
    [[nodiscard]] bool joins(CqNum cq, const Cqe& cqe, bool bulk) const;
    void join(CqNum cq, const Cqe& cqe);
    [[nodiscard]] Entry begin(CqNum cq, const Cqe& cqe, Picoseconds at, bool bulk);
    void write(const Entry& entry, WriteClient* client, std::uint32_t slot);

    Timeline& timeline_;
    const std::uint32_t most_in_entry_;
    const Picoseconds longest_wait_;
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    const CqRings& rings_;
    CqTimes& times_;
    sc_core::sc_port<DmaPort>& dma_;
    std::vector<Queue> queues_;  // by number
    std::vector<Written> written_;
    std::vector<std::uint32_t> free_written_;
    QueueDeadlines<&EntryWriter::flush> deadlines_;
    WorkProbe entries_;
    std::uint64_t entry_writes_ = 0;
    std::uint64_t gathered_ = 0;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/cq/cq_interrupts.hpp"
#include "models/cq/cq_rings.hpp"
#include "models/cq/cq_times.hpp"
#include "models/cq/entry_writer.hpp"
#include "models/cq/overrun_guard.hpp"
#include "models/ports/completions.hpp"
#include "models/ports/control.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/doorbells.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/request_probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// CompletionEngine: writes CQEs into the rings in host memory, several in one entry if compressed, and raises
// interrupts for armed queues, at once or when moderation allows. It judges how full a queue is by the consumer index
// that the host has written to the NIC. If a queue seems full, it holds entries back and reads the index in host
// memory. A queue that overruns is dead: the entry that did not fit and all later ones are lost.
class CompletionEngine final : public Unit,
                               public CompletionPort,
                               public CqDoorbellPort,
                               public CqLifecycle,
                               private OverrunOwner {
public:
    sc_core::sc_export<CompletionPort> completions{"completions"};
    sc_core::sc_export<CqDoorbellPort> doorbells{"doorbells"};
    sc_core::sc_export<CqLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<CqFaultPort> faults{"faults"};

    CompletionEngine(const sc_core::sc_module_name& name, Timeline& timeline, const QueueParams& params, HostId host,
                     Ledgers& ledgers, PayloadPool& payloads);

    void complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) override;
    void write_head(Address to, std::uint32_t head, Picoseconds at) override;
    void consumer_index(CqNum cq, std::uint32_t consumer) override { rings_.polled(cq, consumer, now()); }
    void arm(const CqArm& arm) override;
    [[nodiscard]] std::optional<Address> record_of(CqNum cq) const override {
        const Queue& queue = queues_.at(raw(cq));
        return queue.present ? std::optional(queue.record) : std::nullopt;
    }
    void create_cq(const CqAttributes& attributes) override;
    [[nodiscard]] bool resize_cq(const CqResize& resize) override;
    void moderate_cq(CqNum cq, const Moderation& moderation) override { interrupts_.moderate(cq, moderation); }
    void destroy_cq(CqNum cq) override;
    [[nodiscard]] bool holds_back() const override { return times_.any_queue_asks() || !late_.empty(); }
    void write_gathered() override { writer_.flush_all(); }
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // An entry that is not ready yet, and its queue.
    struct Late {
        CqNum cq{};
        std::uint32_t life = 0;  // how many queues have had this number
        NewEntry entry;
    };
    // The engine's state of a completion queue.
    struct Queue {
        bool present = false;
        bool reports_invalidations = false;
        Address record{};
        std::uint32_t life = 0;
        std::uint32_t late = 0;  // entries that are not ready, and those behind them
        Picoseconds late_until{};
    };

    void ready(const Late& late);  // Agenda: the entry is ready; earlier ones are in the queue
    [[nodiscard]] bool takes_entries(CqNum cq) const { return queues_[raw(cq)].present && !overrun_.has_overrun(cq); }
    void accept(CqNum cq, const NewEntry& entry);
    void enter(CqNum cq, const NewEntry& entry);
    void let_in(CqNum cq, const NewEntry& entry) override { enter(cq, entry); }
    void overran(CqNum cq) override;
    void lost(const Cqe& cqe) override;

    Ledgers& ledgers_;
    PayloadPool& payloads_;
    std::vector<Queue> queues_;  // by number
    Agenda<Late, &CompletionEngine::ready> late_;
    CqRings rings_;
    CqTimes times_;
    CqInterrupts interrupts_;
    EntryWriter writer_;
    OverrunGuard overrun_;
    const HostId host_;
    RequestProbe request_{*this, "request", "request completed last"};
    std::uint64_t cqes_ = 0;
    std::uint64_t errors_ = 0;
    std::uint64_t resizes_ = 0;
    std::uint64_t heads_ = 0;
};

}  // namespace ndsim

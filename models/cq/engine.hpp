// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "models/cq/queue_deadlines.hpp"
#include "models/ports/control.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/queues.hpp"
#include "models/proto/ledger.hpp"
#include "models/proto/queue_params.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// CompletionEngine: writes CQEs into the rings in host memory, several in one if they are compressed, and raises
// interrupts for armed queues, at once or when the queue's moderation lets it. It judges how full a queue is by the
// consumer index that the host has written to it; when the queue seems full it holds entries back and reads the one in
// host memory. A queue that overruns is dead: the entry that did not fit and all later ones are lost.
class CompletionEngine final : public Unit,
                               public CompletionPort,
                               public CqDoorbellPort,
                               public CqLifecycle,
                               public ReadClient,
                               public WriteClient {
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
    void consumer_index(CqNum cq, std::uint32_t consumer) override;
    void arm(const CqArm& arm) override;
    [[nodiscard]] std::optional<Address> record_of(CqNum cq) const override {
        const Queue& queue = queues_.at(raw(cq));
        return queue.present ? std::optional(queue.attributes.record) : std::nullopt;
    }
    void create_cq(const CqAttributes& attributes) override;
    [[nodiscard]] bool resize_cq(const CqResize& resize) override;
    void moderate_cq(CqNum cq, const Moderation& moderation) override;
    void destroy_cq(CqNum cq) override;
    [[nodiscard]] bool holds_back() const override { return asking_ > 0 || !late_.empty(); }
    void read_arrives(std::uint32_t cq, Interval data) override;
    void read_space(ReadClass cls) override;
    void write_waited(std::uint32_t token, Interval wait) override;
    void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // An arm that has been met, while its interrupt waits.
    struct MetArm {
        std::uint64_t from = 0;  // number of the first entry that met it
        Picoseconds since{};     // when that was made
    };
    struct HeldBack {
        Cqe cqe;
        Picoseconds at{};
        bool behind_payload = false;
    };
    // One that is not ready yet, and of which queue.
    struct Late {
        CqNum cq{};
        std::uint32_t life = 0;  // as often as there has been a queue with this number
        HeldBack entry;
    };
    // What is on its way to a place of a ring.
    struct Entry {
        Address to{};
        PayloadRef data = PayloadRef::none;
        Picoseconds ready{};
        bool bulk = false;
    };
    // One that waits for more completions.
    struct Gathered {
        Entry entry;
        Cqe first;
        std::uint32_t slot = 0;  // of what is written
    };
    struct Queue {
        CqAttributes attributes;
        Moderation moderation;
        bool present = false;
        bool overrun = false;
        Arm armed = Arm::none;
        std::optional<MetArm> met;
        std::uint32_t interrupts = 0;
        std::uint32_t consumed = 0;                            // as far as the NIC knows
        std::array<std::byte, sizeof(std::uint32_t)> asked{};  // what is in host memory instead
        bool asking = false;
        Ring<HeldBack> held_back;
        std::uint32_t life = 0;
        std::uint32_t late = 0;  // entries that are not ready, and those behind them
        Picoseconds late_until{};
        std::optional<Gathered> gathered;
        std::uint32_t base = 0;  // number of the entry at the beginning of the ring
        std::uint64_t produced = 0;
        // Numbers of the first entry behind the last one of a kind.
        std::uint64_t solicited = 0;
        std::uint64_t failed = 0;
        std::uint64_t bulk = 0;
        std::uint32_t bulk_under_way = 0;   // entries behind payload whose write is not yet on PCIe
        std::optional<Picoseconds> oldest;  // when the first entry since the last interrupt was made

        [[nodiscard]] std::uint32_t unconsumed() const { return static_cast<std::uint32_t>(produced) - consumed; }
    };

    // An entry on its way to host memory, and the requests that it completes.
    struct Written {
        CqNum cq{};
        bool bulk = false;
        std::uint32_t count = 0;
        std::array<std::uint32_t, kMostCompressed> requests{};
    };

    void ready(const Late& late);    // Agenda: the entry is ready, and those before it are in the queue
    void ring_due();                 // Alarm: an interrupt has waited long enough
    void gathered_long_enough();     // Alarm: an entry has waited long enough for completions
    void answered(const CqNum& cq);  // Agenda: the consumer index in host memory is here

    [[nodiscard]] bool failures_are_errors(const Queue& queue) const;
    [[nodiscard]] bool meets(const Queue& queue, const Cqe& cqe) const;
    [[nodiscard]] bool met_since(const Queue& queue, std::uint64_t from) const;
    void accept(CqNum cq, const HeldBack& entry);
    void polled(Queue& queue, std::uint32_t consumer);
    void stop_asking(Queue& queue);
    void note();
    void ask(CqNum cq);
    void let_in(Queue& queue);
    void enter(Queue& queue, const Cqe& cqe, Picoseconds at, bool behind_payload);
    void overrun(Queue& queue);
    void put(Queue& queue, const Cqe& cqe, Picoseconds at, bool bulk);
    [[nodiscard]] static bool joins(const Queue& queue, const Cqe& cqe, bool bulk);
    void join(Queue& queue, const Cqe& cqe, Picoseconds at);
    void write_gathered(Queue& queue);
    void forget_gathered(Queue& queue);
    void set_gathering_alarm();
    [[nodiscard]] Entry begin_entry(const Queue& queue, const Cqe& cqe, Picoseconds at, bool bulk);
    void write_entry(const Entry& entry, WriteClient* client, std::uint32_t token);
    void note(Queue& queue, const Cqe& cqe, Picoseconds at, bool behind_payload);
    [[nodiscard]] static bool has_gathered(const Queue& queue);
    void notify_or_wait(Queue& queue, Picoseconds at);
    void interrupt(Queue& queue, Picoseconds at);
    void wait_no_longer(CqNum cq);
    void set_alarm();

    const QueueParams params_;
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    Agenda<Late, &CompletionEngine::ready> late_;
    std::deque<Queue> queues_;    // by number; they stay where they are, as data comes for them
    std::vector<CqNum> refused_;  // that may ask when there is room for reads
    std::vector<Written> written_;
    std::vector<std::uint32_t> free_written_;
    QueueDeadlines deadlines_;  // of interrupts that wait
    Alarm<&CompletionEngine::ring_due> alarm_;
    QueueDeadlines gathering_;  // of entries that wait
    Alarm<&CompletionEngine::gathered_long_enough> gathering_alarm_;
    std::uint32_t asking_ = 0;  // queues that are
    Agenda<CqNum, &CompletionEngine::answered> answers_;
    EngineTimes times_;
    Picoseconds issued_until_{};  // of the writes that have their times
    WorkProbe entries_{*this, "entries", "entries from their first completion until they are visible"};
    Probe<std::uint32_t> request_{*this, "request", "number of the request completed last"};
    std::uint64_t cqes_ = 0;
    std::uint64_t entry_writes_ = 0;
    std::uint64_t gathered_ = 0;
    std::uint64_t errors_ = 0;
    std::uint64_t arms_ = 0;
    std::uint64_t interrupts_ = 0;
    std::uint64_t moderations_ = 0;
    std::uint64_t moderated_ = 0;
    std::uint64_t overruns_ = 0;
    std::uint64_t resizes_ = 0;
    std::uint64_t heads_ = 0;
    std::uint64_t questions_ = 0;
};

}  // namespace ndsim

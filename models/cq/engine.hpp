// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/control.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/queues.hpp"
#include "models/proto/ledger.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// CompletionEngine: writes CQEs into the rings in host memory and raises interrupts for armed queues. It knows of
// the host's progress only what the host has written to it (the consumer index). A queue that overruns is dead: the
// entry that did not fit and all later ones are lost.
class CompletionEngine final : public Unit,
                               public CompletionPort,
                               public CqDoorbellPort,
                               public CqLifecycle,
                               public WriteClient {
public:
    sc_core::sc_export<CompletionPort> completions{"completions"};
    sc_core::sc_export<CqDoorbellPort> doorbells{"doorbells"};
    sc_core::sc_export<CqLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<CqFaultPort> faults{"faults"};

    CompletionEngine(const sc_core::sc_module_name& name, Timeline& timeline, HostId host, Ledgers& ledgers,
                     PayloadPool& payloads);

    void complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) override;
    void consumer_index(CqNum cq, std::uint32_t consumer) override;
    void arm(CqNum cq, Arm wish, std::uint32_t consumer, std::uint32_t seen) override;
    void create_cq(const CqAttributes& attributes) override;
    void destroy_cq(CqNum cq) override;
    void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;

private:
    struct Queue {
        CqAttributes attributes;
        bool present = false;
        bool overrun = false;
        bool last_behind_payload = false;
        Arm armed = Arm::none;
        std::uint32_t produced = 0;
        std::uint32_t consumed = 0;  // as far as the NIC knows
    };

    void polled(Queue& queue, std::uint32_t consumer);
    void notify(Queue& queue, Picoseconds at, bool behind_payload);

    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    std::vector<Queue> queues_;  // by number
    Probe<std::uint32_t> request_{*this, "request", "number of the request completed last"};
    std::uint64_t cqes_ = 0;
    std::uint64_t errors_ = 0;
    std::uint64_t interrupts_ = 0;
    std::uint64_t overruns_ = 0;
};

}  // namespace ndsim

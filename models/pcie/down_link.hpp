// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parts/pcie_params.hpp"
#include "models/pcie/link_direction.hpp"
#include "models/pcie/link_states.hpp"
#include "models/ports/pcie.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// DownLink: the direction from the host to the NIC. Stores of the CPU, which need credits, and completions leave in
// order of arrival; later stores may enter a train of completions in service.
class DownLink {
public:
    static constexpr PoolFacts kBarHeadersPool{"bar_headers", "credits for stores of the CPU in use", PoolUnit::credits,
                                               "pcie.bar_posted_headers", WhenFull::limit};

    DownLink(Unit& unit, Timeline& timeline, const PcieParams& params, sc_core::sc_port<BarPort>& bar,
             sc_core::sc_port<PcieClient>& client);

    // A store leaves its core at `leaves`, now or later.
    void store(Picoseconds leaves, const Mmio& mmio, StoreClient& core);
    // The root complex has the data of a read.
    void complete(const ReadTrain& train);
    // Nothing leaves until `until`.
    void stall(Picoseconds until);

    [[nodiscard]] bool is_idle() const { return waiting_stores_.empty() && waiting_.empty(); }
    [[nodiscard]] const LinkDirection& direction() const { return link_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t stores() const { return store_count_; }
    [[nodiscard]] std::uint64_t credit_waits() const { return credit_waits_; }

private:
    // A store of the CPU on its way to the link.
    struct Store {
        Mmio mmio;
        StoreClient* core = nullptr;
    };
    // Completions of a read that wait for the link.
    struct Completion {
        ReadTrain train;
        std::uint64_t behind = 0;  // number of stores that it must not pass
    };

    void store_leaves(const Store& store);  // Agenda: a store of the CPU reaches the root port
    void serve();                           // Alarm: the link is free, or a credit is back

    // False if it has to wait: serve() tries again.
    [[nodiscard]] bool send_completion();
    [[nodiscard]] bool send_store();
    void look_at(Picoseconds when);
    // Notes the transfer just served, and what the direction does afterwards.
    void note();
    [[nodiscard]] std::size_t rest() const { return lacks_credits_ ? kDownHeaders : kDownIdle; }

    Unit& unit_;
    const PcieParams params_;
    const Picoseconds flight_;
    sc_core::sc_port<BarPort>& bar_;
    sc_core::sc_port<PcieClient>& client_;
    LinkDirection link_;
    Agenda<Store, &DownLink::store_leaves> leaving_;
    Alarm<&DownLink::serve> looks_;
    Ring<Store> waiting_stores_;
    Ring<Completion> waiting_;
    std::uint64_t stores_come_ = 0;
    bool lacks_credits_ = false;  // the next store

    Pool bar_headers_;
    EngineTimes times_;
    Probe<TlpUse> bulk_;
    Probe<TlpUse> express_;

    std::uint64_t bytes_ = 0;
    std::uint64_t store_count_ = 0;  // stores that have left
    std::uint64_t credit_waits_ = 0;
};

}  // namespace ndsim

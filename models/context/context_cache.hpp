// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/context/context_params.hpp"
#include "models/parts/table_cache.hpp"
#include "models/ports/context.hpp"
#include "models/ports/qp.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// A unit that waits for the context of a queue pair.
struct ContextWaiter {
    ContextClient* client = nullptr;
    QpNum qp{};

    friend bool operator==(const ContextWaiter&, const ContextWaiter&) = default;
};

// ContextCache: queue-pair contexts are in host memory; the NIC holds the most recently used. A unit that serves a
// queue pair without a cached context waits until it has been read. The context unused for longest makes room for it.
class ContextCache final : public Unit, public ContextPort, public QpLifecycle, private TableClient<ContextWaiter> {
public:
    static constexpr PoolFacts kEntriesPool{"entries", "contexts held", PoolUnit::contexts, "nic.qp_context_entries"};
    static constexpr PoolFacts kFetchesPool{"fetches", "contexts being fetched", PoolUnit::contexts,
                                            "nic.qp_context_fetches", WhenFull::limit};

    sc_core::sc_export<ContextPort> port{"port"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};

    ContextCache(const sc_core::sc_module_name& name, Timeline& timeline, const ContextParams& params);

    static constexpr std::uint64_t kTableBytes = 32ULL << 20U;

    // From here on the contexts are in host memory. If there are more than fit, some share a place.
    void table_at(Address base) { cache_.table_at(base); }
    bool use(QpNum qp, ContextClient& client) override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection&) override { cache_.take_in(qp_index(qp)); }
    [[nodiscard]] bool is_quiet(QpNum qp) const override { return !cache_.is_wanted(qp_index(qp)); }
    void destroy_qp(QpNum qp) override { cache_.forget(qp_index(qp)); }
    void report(StatSink& sink) const override { cache_.report(sink); }
    void check_idle() const override { cache_.check_idle(); }

private:
    void entry_arrived(const ContextWaiter& waiter) override { waiter.client->context_ready(waiter.qp); }

    TableCache<ContextWaiter> cache_;  // by qp_index()
};

}  // namespace ndsim

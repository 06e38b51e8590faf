// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/context/context_params.hpp"
#include "models/ports/context.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/qp.hpp"
#include "sim/base/lru_cache.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// ContextCache: the contexts of queue pairs are in host memory; the NIC holds those used last. Whoever serves a queue
// pair whose context is not here waits until it has been read, and the one not used for longest makes room for it.
class ContextCache final : public Unit, public ContextPort, public QpLifecycle, public ReadClient {
public:
    sc_core::sc_export<ContextPort> port{"port"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};

    ContextCache(const sc_core::sc_module_name& name, Timeline& timeline, const ContextParams& params);

    static constexpr std::uint64_t kTableBytes = 32ULL << 20U;

    // The contexts are in host memory from here on; if there are more than fit, some share their place.
    void table_at(Address base) { table_ = base; }
    bool use(QpNum qp, ContextClient& client) override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void destroy_qp(QpNum qp) override;
    void read_arrives(std::uint32_t slot, Interval data) override;
    void read_space(ReadClass cls) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Held {};
    struct Context {
        bool wanted = false;  // is fetched, or waits for that
        std::vector<ContextClient*> clients;
    };

    void arrived(const std::uint32_t& qp_index);  // Agenda: a context is in the NIC

    void take_in(std::uint32_t qp_index);
    void fetch();

    const ContextParams params_;
    Address table_{};
    std::vector<Context> contexts_;  // by qp_index()
    LruCache<Held> held_;
    std::uint32_t last_used_ = UINT32_MAX;
    Ring<std::uint32_t> waiting_;     // to be fetched, by qp_index()
    std::vector<std::byte> scratch_;  // where fetched bytes go: units keep the state themselves
    std::vector<ContextClient*> told_;

    Agenda<std::uint32_t, &ContextCache::arrived> arrivals_;
    Pool fetches_;
    Pool entries_;
    std::uint64_t misses_ = 0;
};

}  // namespace ndsim

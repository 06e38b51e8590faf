// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/ports/context.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/doorbells.hpp"
#include "models/ports/egress.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/requests.hpp"
#include "models/wqe/send_prefetch.hpp"
#include "models/wqe/send_scheduler.hpp"
#include "models/wqe/wqe_fetcher.hpp"
#include "models/wqe/wqe_params.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// WqeEngine: serves the send queues. It fetches their WQEs ahead of need, and lets queue pairs with work take turns
// packet by packet. After a failure of a queue pair it fetches everything in its queue and flushes it.
class WqeEngine final : public Unit,
                        public SqDoorbellPort,
                        public WorkPort,
                        public TxRoomPort,
                        public QpLifecycle,
                        private ContextClient,
                        private RingOwner {
public:
    sc_core::sc_export<SqDoorbellPort> doorbells{"doorbells"};
    sc_core::sc_export<WorkPort> work{"work"};
    sc_core::sc_export<TxRoomPort> room{"room"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<ContextPort> context{"context"};
    sc_core::sc_port<SendGatePort> gate{"gate"};
    sc_core::sc_port<RequesterPort> requester{"requester"};

    WqeEngine(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params, HostId host,
              Ledgers& ledgers, PayloadPool& payloads);

    void sq_doorbell(const SqDoorbell& doorbell) override;
    [[nodiscard]] std::optional<Address> record_of(QpNum qp) const override { return queues_.at(qp_index(qp)).record; }
    void resume() override { scheduler_.serve(); }
    void resume_qp(QpNum qp) override { scheduler_.resume(qp_index(qp)); }
    void rewind(QpNum qp, std::uint32_t place) override { scheduler_.rewind(qp_index(qp), place); }
    void tx_room() override { scheduler_.serve(); }
    void message_built(Picoseconds when) override { scheduler_.message_built(when); }
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void flush_deferred(QpNum qp, std::uint32_t producer, std::uint32_t entries, std::uint32_t receives) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void destroy_qp(QpNum qp) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    enum class State : std::uint8_t { absent, idle, connected, failed };
    // The engine's state of a send queue.
    struct SendQueue {
        QpNum qp{};
        State state = State::absent;
        std::optional<Address> record;  // while the queue pair exists
    };

    void context_ready(QpNum qp) override;
    std::uint32_t wanted(std::uint32_t index, std::uint32_t there) override { return prefetch_.wanted(index, there); }
    void reading(std::uint32_t index, std::uint32_t units) override { prefetch_.reading(index, units); }
    void arrived(std::uint32_t index, std::span<const std::byte> units) override;
    void discarded(std::uint32_t index, std::uint32_t units) override;
    void take_behind_read(std::uint32_t index);
    void take_ready(std::uint32_t index);
    void flush_ready(std::uint32_t index);
    [[nodiscard]] SendQueue& queue_of(QpNum qp) { return queues_.at(qp_index(qp)); }

    PayloadPool& payloads_;
    std::vector<SendQueue> queues_;
    SendPrefetch prefetch_;
    SendScheduler scheduler_;
};

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/wqe/wqe_params.hpp"
#include "models/wqe/wqe_pool.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// ReceiveQueues: keeps receive WQEs ready for messages. A receive exists from the decoding of its doorbell on; a few
// of each queue pair are fetched ahead, so that a message finds its buffers without a read of host memory.
class ReceiveQueues final : public Unit,
                            public RqDoorbellPort,
                            public ReceiveQueuePort,
                            public QpLifecycle,
                            public ReadClient {
public:
    sc_core::sc_export<RqDoorbellPort> doorbells{"doorbells"};
    sc_core::sc_export<ReceiveQueuePort> receives{"receives"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<ReceiveReadyPort> responder{"responder"};
    sc_core::sc_port<CompletionPort> completions{"completions"};

    ReceiveQueues(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params, HostId host,
                  Ledgers& ledgers, PayloadPool& payloads);

    void rq_doorbell(QpNum qp, std::uint32_t producer) override;
    ReceiveTake take(QpNum qp, Wqe& into) override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void destroy_qp(QpNum qp) override;
    void read_arrives(std::uint32_t qp_index, Interval data) override;
    void read_space(ReadClass cls) override;
    void report(StatSink& sink) const override;

private:
    struct Announcement {
        std::uint32_t producer = 0;
        Picoseconds at{};
    };
    struct ReceiveQueue {
        QpNum qp{};
        CqNum cq{};
        Address ring{};
        std::uint32_t entries = 0;
        std::uint32_t stride = 0;  // units
        QpWatch* watch = nullptr;
        bool present = false;
        bool failed = false;
        bool fetching = false;
        bool wants_fetch = false;
        bool awaited = false;        // the responder waits for the next one
        std::uint32_t producer = 0;  // in entries, absolute, as all below
        std::uint32_t requested = 0;
        std::uint32_t consumed = 0;
        std::uint32_t fetch_entries = 0;
        PayloadRef fetch_buffer = PayloadRef::none;
        Picoseconds fetch_begun{};
        Ring<Announcement> announced;
        Ring<Wqe*> ready;
    };

    void wqes_arrive(const std::uint32_t& qp_index);  // Agenda: a fetch has arrived
    void fetch(ReceiveQueue& queue);
    void refuse_fetch(ReceiveQueue& queue);
    void flush(ReceiveQueue& queue);
    [[nodiscard]] ReceiveQueue& queue_of(QpNum qp) { return queues_.at(qp_index(qp)); }

    const WqeParams params_;
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    WqePool wqes_;
    std::vector<ReceiveQueue> queues_;
    Ring<std::uint32_t> refused_fetches_;
    Agenda<std::uint32_t, &ReceiveQueues::wqes_arrive> arrivals_;
    std::uint64_t fetches_ = 0;
    std::uint64_t taken_ = 0;
    std::uint64_t misses_ = 0;
    std::uint64_t none_posted_ = 0;
};

}  // namespace ndsim

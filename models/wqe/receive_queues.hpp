// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/wqe/ring_reader.hpp"
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
                            private RingOwner {
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
    [[nodiscard]] std::uint32_t posted(QpNum qp) const override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void destroy_qp(QpNum qp) override;
    void report(StatSink& sink) const override;

private:
    struct ReceiveQueue {
        QpNum qp{};
        CqNum cq{};
        std::uint32_t stride = 0;  // units
        QpWatch* watch = nullptr;
        bool present = false;
        bool failed = false;
        bool awaited = false;        // the responder waits for the next one
        std::uint32_t producer = 0;  // in entries, absolute, as all below
        std::uint32_t fetched = 0;   // or being fetched
        std::uint32_t consumed = 0;
        std::uint32_t accepted = 0;  // in units
        Ring<Wqe*> ready;
    };

    std::uint32_t wanted(std::uint32_t index, std::uint32_t there) override;
    void reading(std::uint32_t index, std::uint32_t units) override;
    void arrived(std::uint32_t index, std::span<const std::byte> units) override;
    void flush(ReceiveQueue& queue);
    [[nodiscard]] ReceiveQueue& queue_of(QpNum qp) { return queues_.at(qp_index(qp)); }

    const WqeParams params_;
    const HostId host_;
    Ledgers& ledgers_;
    WqePool wqes_;
    std::vector<ReceiveQueue> queues_;
    RingReader reader_;
    std::uint64_t taken_ = 0;
    std::uint64_t misses_ = 0;
    std::uint64_t none_posted_ = 0;
};

}  // namespace ndsim

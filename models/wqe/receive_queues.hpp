// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ports/completions.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/doorbells.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/receives.hpp"
#include "models/ports/srq.hpp"
#include "models/wqe/receive_rings.hpp"
#include "models/wqe/srq_limit.hpp"
#include "models/wqe/wqe_fetcher.hpp"
#include "models/wqe/wqe_params.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// ReceiveQueues: keeps receive WQEs ready for messages. A receive exists once its doorbell is decoded, or once its
// record in host memory has been read, which happens when few are known. A few receives of each queue are fetched
// ahead, so that a message finds its buffers without a read of host memory. A queue belongs to one queue pair, or is
// shared: then its receives go, in order, to the queue pair that asks first.
class ReceiveQueues final : public Unit,
                            public RqDoorbellPort,
                            public ReceiveQueuePort,
                            public QpLifecycle,
                            public SrqLifecycle,
                            private RingOwner {
public:
    // The receives of all queues fetched ahead. Reads of receive WQEs are cut so that `rq_prefetch` of them are under
    // way or in the NIC, whatever the size of a read. So the limit is rq_prefetch, and not the batch.
    static constexpr PoolFacts kAheadPool{"",
                                          "receives in the NIC or on their way to it",
                                          PoolUnit::wqes,
                                          "nic.rq_prefetch",
                                          WhenFull::waited_for,
                                          {"nic.responder.receive_wqe", "nic.responder.rq_park"}};

    sc_core::sc_export<RqDoorbellPort> doorbells{"doorbells"};
    sc_core::sc_export<ReceiveQueuePort> receives{"receives"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_export<SrqLifecycle> shared{"shared"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<ReceiveReadyPort> responder{"responder"};
    sc_core::sc_port<CompletionPort> completions{"completions"};
    sc_core::sc_port<SrqLimitPort> limits{"limits"};
    sc_core::sc_port<DoorbellRecordPort> records{"records"};

    ReceiveQueues(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params, HostId host,
                  Ledgers& ledgers, PayloadPool& payloads);

    void rq_doorbell(QpNum qp, std::uint32_t producer) override;
    void srq_doorbell(SrqNum srq, std::uint32_t producer) override;
    [[nodiscard]] std::optional<Address> record_of(SrqNum srq) const override {
        return queues_[shared_.at(raw(srq))].record;
    }
    ReceiveTake take(QpNum qp, Wqe& into) override;
    [[nodiscard]] std::uint32_t posted(QpNum qp) const override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void flush_deferred(QpNum qp, std::uint32_t sends, std::uint32_t entries, std::uint32_t producer) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void destroy_qp(QpNum qp) override;
    void create_srq(const SrqAttributes& attributes) override;
    void modify_srq(const ModifySrq& change) override;
    void destroy_srq(SrqNum srq) override;
    void report(StatSink& sink) const override;

private:
    // The waiters for receives of a ring, and how the NIC learns of more.
    struct ReceiveQueue {
        SrqNum srq{};                   // if the queue is shared
        std::optional<Address> record;  // of a shared queue, while it exists
        std::optional<QpNum> recorded;  // of this queue pair, whose software keeps a record instead of ringing
        bool asked = false;             // the record is being read
        bool asked_since = false;       // a message has come that the read under way may not answer
        SrqLimit limit;                 // of a shared queue
        Ring<QpNum> waiting;            // queue pairs whose messages wait for the next receives, in order of asking
        std::optional<QpNum> turn;      // its message waits no longer, and is being told
    };
    // The receive side of a queue pair.
    struct Taker {
        CqNum cq{};
        std::uint32_t queue = 0;  // index of the queue that its receives come from
        bool shares = false;
        bool present = false;
        bool failed = false;
    };

    std::uint32_t wanted(std::uint32_t index, std::uint32_t there) override { return rings_.wanted(index, there); }
    void reading(std::uint32_t index, std::uint32_t units) override { rings_.reading(index, units); }
    void arrived(std::uint32_t index, std::span<const std::byte> units) override;
    [[nodiscard]] std::uint32_t add_queue(std::uint32_t stride, Address ring, std::uint32_t entries,
                                          const ReceiveRings::Watches& watches);
    bool ask(std::uint32_t index);
    void answered(std::uint32_t index);
    void wake_first(ReceiveQueue& queue);
    void wake_failed(ReceiveQueue& queue, QpNum qp);
    void tell_limit(const ReceiveQueue& queue);
    void flush(QpNum qp);
    [[nodiscard]] Taker& taker_of(QpNum qp) { return takers_.at(qp_index(qp)); }

    const WqeParams params_;
    const HostId host_;
    Ledgers& ledgers_;
    std::vector<ReceiveQueue> queues_;   // by index of the ring
    std::vector<Taker> takers_;          // by index of the queue pair
    std::vector<std::uint32_t> shared_;  // by number of the shared queue: its index
    EngineTimes times_;
    ReceiveRings rings_;
    std::uint64_t taken_ = 0;
    std::uint64_t misses_ = 0;
    std::uint64_t none_posted_ = 0;
    std::uint64_t limits_reached_ = 0;
    std::uint64_t record_reads_ = 0;
};

}  // namespace ndsim

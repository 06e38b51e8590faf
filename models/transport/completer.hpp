// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/proto/ledger.hpp"
#include "models/proto/packet.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Completer: the requester's ear. It holds the messages that are under way, retires those that an acknowledgement
// covers, in the order of the send queue, and turns a NAK into the failure of the message that it names.
class Completer final : public Unit, public QpLifecycle {
public:
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<CompletionPort> completions{"completions"};
    sc_core::sc_port<WorkPort> work{"work"};
    sc_core::sc_port<QpFaultPort> faults{"faults"};

    Completer(const sc_core::sc_module_name& name, Timeline& timeline, HostId host, Ledgers& ledgers);

    // A message of the send queue that has begun; `last` is the PSN of its last packet.
    void expect(QpNum qp, const WqeHeader& wqe, Psn last);
    // A message that failed before any packet of it was sent; it completes behind those before it.
    void expect_failure(QpNum qp, const WqeHeader& wqe, WcStatus status);
    // A WQE of a failed queue pair that was never begun.
    void flush(QpNum qp, const WqeHeader& wqe);
    // Everything before this PSN is acknowledged.
    [[nodiscard]] Psn unacknowledged(QpNum qp) const { return queues_[qp_index(qp)].unacknowledged; }

    void acknowledge(const Packet& ack);
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void destroy_qp(QpNum qp) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Pending {
        WqeHeader wqe;
        Psn last;
        WcStatus failed = WcStatus::success;
    };
    struct Queue {
        CqNum cq{};
        QpWatch* watch = nullptr;
        bool failed = false;
        Psn unacknowledged;
        Ring<Pending> pending;
    };

    void fail_head(const QpNum& qp);  // Lane: the oldest message has failed

    void retire(QpNum qp, Queue& queue, Psn up_to);
    void complete(QpNum qp, Queue& queue, const WqeHeader& wqe, WcStatus status);
    void fail(QpNum qp, Queue& queue, WcStatus status);
    Pending take_oldest(Queue& queue);

    const HostId host_;
    Ledgers& ledgers_;
    std::vector<Queue> queues_;
    Lane<QpNum, &Completer::fail_head> failures_;
    std::uint64_t acks_ = 0;
    std::uint64_t naks_ = 0;
    std::uint64_t retired_ = 0;
    std::uint64_t flushed_ = 0;
};

}  // namespace ndsim

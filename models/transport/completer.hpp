// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/completions.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/requests.hpp"
#include "models/proto/packet.hpp"
#include "models/transport/local_operations.hpp"
#include "models/transport/outstanding_requests.hpp"
#include "models/transport/psn_windows.hpp"
#include "models/transport/read_responses.hpp"
#include "models/transport/recovery.hpp"
#include "models/transport/retransmit_buffer.hpp"
#include "models/transport/send_completions.hpp"
#include "models/transport/send_gate.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Completer: the requester's receiving side. It holds the requests under way and retires them in send-queue order as
// they are acknowledged or their data arrives. It has them sent again if the peer missed a packet, was not ready, or
// does not answer. A fatal NAK fails the request that it names.
class Completer final : public Unit, public QpLifecycle, private LocalOperationOwner, private RecoveryOwner {
public:
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<CompletionPort> completions{"completions"};
    sc_core::sc_port<WorkPort> work{"work"};
    sc_core::sc_port<QpFaultPort> faults{"faults"};
    sc_core::sc_port<KeyPort> keys{"keys"};

    Completer(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params, HostId host,
              Ledgers& ledgers, PsnWindows& windows, SendGate& gate, ReadResponses& reads, LocalOperations& locals,
              RetransmitBuffer& kept);

    // The request of a WQE, if it has begun; the pointer is valid until the next one begins.
    [[nodiscard]] OutstandingRequest* find(QpNum qp, const WqeHeader& wqe) { return queue(qp).requests.find(wqe); }
    // A request begins with packets [first, end).
    void expect(QpNum qp, const WqeHeader& wqe, Psn first, Psn end);
    void expect_read(QpNum qp, const WqeHeader& wqe, Psn first, Psn end, std::uint32_t read);
    // A request failed before any of its packets was sent; it completes behind earlier ones.
    void expect_failure(QpNum qp, const WqeHeader& wqe, Psn first, WcStatus status);
    // A request that has begun cannot be sent again.
    void fail_later(QpNum qp, const WqeHeader& wqe, WcStatus status);
    // Another packet is under way; the next one has PSN `next`.
    void sent(QpNum qp, Psn next);
    // One that the peer has to answer, with PSNs [first, end), leaves the NIC at `at`.
    void asked(QpNum qp, Psn first, Psn end, Picoseconds at);
    // A WQE of a failed queue pair never began.
    void flush(QpNum qp, const WqeHeader& wqe);

    [[nodiscard]] std::vector<RefusedQueuePair> refused() const { return recovery_.refused(); }
    // Changes whenever a request ends, or is sent again for any reason but an RNR NAK.
    [[nodiscard]] std::uint64_t progress() const {
        return retired_ + flushed_ + recovery_.rewinds() - recovery_.rnr_naks();
    }

    void acknowledge(const Packet& ack);
    // The acknowledgement, which comes next, was here at `since`, and has waited for the context.
    void has_waited(const Packet& ack, Picoseconds since);
    void response(const Packet& packet, Interval at);
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void fail_oldest(QpNum qp, WcStatus status) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override { return queues_.at(qp_index(qp)).requests.empty(); }
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // The requests of one queue pair.
    struct Queue {
        QpNum qp{};
        PdNum pd{};
        bool failed = false;
        OutstandingRequests requests;
    };

    void fail_head(const QpNum& qp);  // Lane: the oldest request has failed
    void local_done(QpNum qp, std::uint32_t wqe_index, WcStatus status) override;
    [[nodiscard]] bool is_flushed(QpNum qp) const override {
        const Queue& queue = queues_[qp_index(qp)];
        return queue.failed || queue.qp != qp;
    }
    [[nodiscard]] bool has_failed(QpNum qp) const override { return queues_[qp_index(qp)].failed; }
    [[nodiscard]] bool has_open(QpNum qp) override { return queue(qp).requests.oldest_open() != nullptr; }
    [[nodiscard]] std::uint32_t rewind_requests(QpNum qp, std::optional<Psn> psn) override {
        return queue(qp).requests.rewind(psn);
    }
    void charge(QpNum qp, Account why) override;
    void give_up(QpNum qp, WcStatus status) override { fail(qp, status); }

    void refuse(QpNum qp, std::uint8_t syndrome);
    void take_data(QpNum qp, OutstandingRequest& read, const Packet& packet, Interval at);
    void progress(QpNum qp, Psn up_to);
    // Ends what is done. Requests that were to be begun again (local operations) are then skipped, as are packets to be
    // sent again that the peer has answered, if the answer `passes` some.
    void retire(QpNum qp, bool passes);
    void fail(QpNum qp, WcStatus status);
    void end_oldest(QpNum qp, WcStatus status);
    OutstandingRequest take_oldest(QpNum qp);
    [[nodiscard]] Psn answered(const OutstandingRequest& read) const { return read.first + reads_.packets(read.read); }
    [[nodiscard]] Queue& queue(QpNum qp) { return queues_[qp_index(qp)]; }

    PsnWindows& windows_;
    SendGate& gate_;
    ReadResponses& reads_;
    RetransmitBuffer& kept_;
    std::vector<Queue> queues_;
    Lane<QpNum, &Completer::fail_head> failures_;
    SendCompletions ends_;
    Recovery recovery_;
    std::uint64_t acks_ = 0;
    std::uint64_t naks_ = 0;
    std::uint64_t retired_ = 0;
    std::uint64_t flushed_ = 0;
};

}  // namespace ndsim

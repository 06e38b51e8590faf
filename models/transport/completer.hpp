// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/proto/ledger.hpp"
#include "models/proto/packet.hpp"
#include "models/transport/local_operations.hpp"
#include "models/transport/read_responses.hpp"
#include "models/transport/retransmit_buffer.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Completer: the requester's ear. It holds the requests that are under way, retires them in the order of the send
// queue as they are acknowledged or their data comes, and sends everything from the oldest one on again if the peer
// missed a packet, was not ready, or does not answer. A fatal NAK fails the request that it names.
class Completer final : public Unit, public QpLifecycle, private ReadOwner, private LocalOperationOwner {
public:
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<CompletionPort> completions{"completions"};
    sc_core::sc_port<WorkPort> work{"work"};
    sc_core::sc_port<QpFaultPort> faults{"faults"};
    sc_core::sc_port<KeyPort> keys{"keys"};

    Completer(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params, HostId host,
              Ledgers& ledgers, ReadResponses& reads, LocalOperations& locals, RetransmitBuffer& kept);

    // A request that has begun and is not yet complete.
    struct Request {
        WqeHeader wqe;
        Psn first;
        Psn end;                              // behind its last packet, of a Read behind its last response
        std::uint32_t place = 0;              // of its WQE in the send queue, in units, absolute
        std::uint32_t read = 0;               // slot of ReadResponses
        bool reading = false;                 // that slot is open
        bool done = false;                    // a local operation, or a Read whose data is on its way to memory
        WcStatus failed = WcStatus::success;  // how it ends, if it cannot succeed any more
    };

    // The request of a WQE, if it has begun; the pointer holds until the next one begins.
    [[nodiscard]] Request* find(QpNum qp, const WqeHeader& wqe);
    // A request that begins with packets [first, end).
    Request& expect(QpNum qp, const WqeHeader& wqe, Psn first, Psn end);
    void expect_local(QpNum qp, const WqeHeader& wqe, Psn next);
    void expect_read(QpNum qp, const WqeHeader& wqe, Psn first, Psn end, std::uint32_t read);
    // One that failed before any packet of it was sent; it completes behind those before it.
    void expect_failure(QpNum qp, const WqeHeader& wqe, Psn first, WcStatus status);
    // One that has begun and cannot be sent again.
    void fail_later(QpNum qp, const WqeHeader& wqe, WcStatus status);
    // A packet of it is under way from now on; the next one has PSN `next`.
    void sent(QpNum qp, Psn next);
    // A WQE of a failed queue pair that was never begun.
    void flush(QpNum qp, const WqeHeader& wqe);

    // Everything before this PSN is acknowledged.
    [[nodiscard]] Psn unacknowledged(QpNum qp) const { return queues_[qp_index(qp)].unacknowledged; }
    // After an RNR NAK, until the time is over that it asked for.
    [[nodiscard]] bool waits_for_peer(QpNum qp) const { return queues_[qp_index(qp)].waits_for_peer; }
    // What keeps a request of this kind from beginning now; the work-queue engine hears when that is over.
    // Whether any Reads were agreed on.
    [[nodiscard]] bool may_read(QpNum qp) const { return queues_[qp_index(qp)].outbound_reads > 0; }
    [[nodiscard]] Stall may_begin(QpNum qp, const Wqe& wqe);
    // How many messages have begun, modulo 2^24: the SSN of the last one [wire.md 2].
    [[nodiscard]] std::uint32_t messages_begun(QpNum qp) const { return queues_[qp_index(qp)].ssn; }

    // Queue pairs that a peer without a receive has refused, and nothing has come of that yet.
    struct Refused {
        QpNum qp{};
        std::uint32_t times = 0;  // in a row
        Picoseconds last{};
        bool for_ever = false;  // they never give up
    };
    [[nodiscard]] std::vector<Refused> refused() const;
    // Another number whenever something has come of a request, or one was sent again for another reason.
    [[nodiscard]] std::uint64_t progress() const { return retired_ + flushed_ + rewinds_ - rnr_naks_; }

    void acknowledge(const Packet& ack);
    void response(const Packet& packet, Interval at);
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void fail_oldest(QpNum qp, WcStatus status) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void destroy_qp(QpNum qp) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Queue {
        QpNum qp{};
        CqNum cq{};
        PdNum pd{};
        std::optional<Address> head;  // where software looks how far the queue is retired
        bool invalidate_waits = false;
        bool local_begun = false;  // the last request is a local operation that has not taken effect
        bool doomed = false;       // a request has failed, and waits for those before it
        QpWatch* watch = nullptr;
        bool failed = false;
        std::optional<Account> waited_for;  // by the requests of a queue pair that has failed
        std::uint32_t outbound_reads = 0;
        std::uint32_t rnr_retry = 0;
        bool credits = false;
        Psn unacknowledged;
        Psn next;                     // of the packet to be sent next
        std::uint32_t in_window = 0;  // packets that the watch counts
        std::uint32_t next_place = 0;
        Ring<Request> requests;
        Ring<std::uint32_t> open_reads;  // WQE numbers of Reads whose data has not all come
        std::uint32_t reads_placed = 0;  // whose data has, but is not yet known to be visible
        Picoseconds visible{};           // the data of all that were
        std::uint32_t ssn = 0;           // of the message begun last
        std::uint32_t limit = 0;         // LSN: the message up to which the peer has receives

        std::uint32_t retries = 0;    // without progress
        std::uint32_t rnr_naks = 0;   // without progress
        bool recovering = false;      // sent again, and nothing has come of it yet
        bool waits_for_peer = false;  // after an RNR NAK
        Picoseconds refused_at{};     // by the last one
        bool timing = false;
        bool in_timers = false;
        Picoseconds deadline{};
    };

    void fail_head(const QpNum& qp);      // Lane: the oldest request has failed
    void times_out(const QpNum& qp);      // Agenda: perhaps nobody has answered for too long
    void peer_is_ready(const QpNum& qp);  // Agenda: the time that an RNR NAK asked for is over
    void look_at_fence(const QpNum& qp);  // Agenda: the data of earlier Reads is visible
    void look_for_room(const int& none);  // Agenda: room in the read buffer has come back
    void read_visible(QpNum qp, Picoseconds when) override;
    void read_room(Picoseconds when) override;
    void local_done(QpNum qp, std::uint32_t wqe_index, WcStatus status) override;

    void progress(QpNum qp, Queue& queue, Psn up_to);
    void retire(QpNum qp, Queue& queue);
    void retire_oldest(QpNum qp, Queue& queue);
    void show_window(Queue& queue);
    void take_credits(Queue& queue, const Aeth& aeth);
    static void raise_limit(Queue& queue, std::uint32_t limit);
    void not_ready(QpNum qp, Queue& queue, std::uint8_t code);
    void send_again(QpNum qp, Queue& queue, Account why);
    void rewind(QpNum qp, Queue& queue, Account why);
    void go_back(QpNum qp, Queue& queue);
    [[nodiscard]] static Request* oldest_open(Queue& queue);
    [[nodiscard]] static Request* open_read(Queue& queue);
    [[nodiscard]] Psn answered(const Request& read) const { return read.first + reads_.packets(read.read); }
    void start_timer(QpNum qp, Queue& queue);
    void stop_timer(Queue& queue);
    void complete(QpNum qp, Queue& queue, const WqeHeader& wqe, WcStatus status, Picoseconds at, bool behind_payload);
    void fail(QpNum qp, Queue& queue, WcStatus status);
    void end_oldest(QpNum qp, Queue& queue, WcStatus status);
    void end_read(Queue& queue);
    Request take_oldest(Queue& queue);
    [[nodiscard]] static bool has_succeeded(const Queue& queue, const Request& request);

    const TransportParams params_;
    const Picoseconds timeout_;
    const HostId host_;
    Ledgers& ledgers_;
    ReadResponses& reads_;
    RetransmitBuffer& kept_;
    std::vector<Queue> queues_;
    std::vector<QpNum> waiting_for_room_;  // of the read buffer
    std::uint32_t timing_ = 0;             // queue pairs with a deadline
    Lane<QpNum, &Completer::fail_head> failures_;
    Agenda<QpNum, &Completer::times_out> timers_;
    Agenda<QpNum, &Completer::peer_is_ready> rnr_timers_;
    Agenda<QpNum, &Completer::look_at_fence> fences_;
    Agenda<int, &Completer::look_for_room> rooms_;
    std::uint64_t acks_ = 0;
    std::uint64_t naks_ = 0;
    std::uint64_t rnr_naks_ = 0;
    std::uint64_t timeouts_ = 0;
    std::uint64_t rewinds_ = 0;
    std::uint64_t retired_ = 0;
    std::uint64_t flushed_ = 0;
};

}  // namespace ndsim

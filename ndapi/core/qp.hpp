// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ndapi/core/cq.hpp"
#include "ndapi/core/posting.hpp"
#include "ndapi/core/serial_calls.hpp"

namespace ndsim::core {

// The sizes that a queue pair is created with.
struct QpLimits {
    std::uint32_t receive_depth = 0;
    std::uint32_t initiator_depth = 0;
    std::uint32_t receive_sges = 0;
    std::uint32_t initiator_sges = 0;
    std::uint32_t inline_bytes = 0;
    bool late_read_limit = false;  // without agreed Reads, one fails as a request and not at its post
    bool fills_units = false;      // a request may have as many SGEs as its units hold, beyond the counts above
};

class Connector;
class Srq;

// Qp: a queue pair as the driver sees it: two rings in host memory that it fills, and its requests until they end. A
// slot of the send queue is free again when a completion of its request, or of a later one, is polled; with
// Reclaim::on_retire when the NIC has told memory that the request is retired.
class Qp final : public Object {
public:
    // A queue pair with a shared receive queue has none of its own; `limits` for receives do not apply.
    Qp(Pd& pd, Cq& receive_cq, Cq& send_cq, Srq* srq, void* context, const QpLimits& limits);
    ~Qp() override { driver_.registry().remove(number_); }

    void create(std::function<void(NTSTATUS)> done);
    [[nodiscard]] NTSTATUS send(void* context, std::span<const LocalPiece> pieces, const RequestOptions& options) {
        return initiate({WqeOpcode::send, OperationKind::send}, context, pieces, options);
    }
    // A Send that also invalidates a key of the peer.
    [[nodiscard]] NTSTATUS send_and_invalidate(void* context, std::span<const LocalPiece> pieces, MrKey key,
                                               const RequestOptions& options) {
        return initiate({WqeOpcode::send_and_invalidate, OperationKind::send, {}, key}, context, pieces, options);
    }
    // Reads the peer's memory. After success it invalidates `key` here, unless that is 0.
    [[nodiscard]] NTSTATUS read(void* context, std::span<const LocalPiece> pieces, const RemoteRange& remote, MrKey key,
                                const RequestOptions& options) {
        return initiate({WqeOpcode::read, OperationKind::read, remote, key}, context, pieces, options);
    }
    // Writes the peer's memory; it uses no receive, and the peer's software is not told [K143].
    [[nodiscard]] NTSTATUS write(void* context, std::span<const LocalPiece> pieces, const RemoteRange& remote,
                                 const RequestOptions& options) {
        return initiate({WqeOpcode::write, OperationKind::write, remote}, context, pieces, options);
    }
    // Requests that change a key of this NIC, in the order of the queue.
    [[nodiscard]] NTSTATUS bind(void* context, const Binding& what, const RequestOptions& options);
    [[nodiscard]] NTSTATUS fast_register(void* context, const FastRegistration& what, const RequestOptions& options);
    [[nodiscard]] NTSTATUS invalidate(void* context, const Pd& pd, MrKey key, const RequestOptions& options);
    [[nodiscard]] NTSTATUS invalidate(void* context, Mw& mw, const RequestOptions& options);
    // Refuses a post to the send queue that is wrong in itself.
    [[nodiscard]] NTSTATUS refuse(NTSTATUS status);
    [[nodiscard]] NTSTATUS receive(void* context, std::span<const LocalPiece> pieces, Tells tells = Tells::at_once);
    // Rings one doorbell for all posted receives.
    void ring_receive_doorbell();
    // Cancels everything outstanding on both queues; the oldest send-queue request ends with status `oldest`.
    void flush(WcStatus oldest = WcStatus::wr_flush);
    // As flush(); `quiet` is called when all requests are in the completion queues and no DMA is left [K151, K155].
    void flush_and_wait(std::function<void()> quiet);
    // Whether this side has flushed it: then its failure is expected.
    [[nodiscard]] bool flushed() const { return flushed_; }
    // The NIC reports that the queue pair has failed.
    void failed(WcStatus why);

    // Takes a CQE of this queue pair: finds its request, and frees slots.
    [[nodiscard]] Completion complete(const Cqe& cqe);
    // The number of requests whose doorbell has not been rung.
    [[nodiscard]] std::uint32_t deferred() const { return sends_posted_ - sends_rung_; }
    // The number of the last posted request.
    [[nodiscard]] std::uint32_t last_request() const { return last_request_; }

    // Its completions can be polled even after it is closed [K207].
    void when_unused(const std::function<void()>& forget) override;

    [[nodiscard]] QpNum number() const { return number_; }
    // Whether its receives come from a shared queue.
    [[nodiscard]] bool shares_receives() const { return srq_ != nullptr; }
    [[nodiscard]] const Cq& send_cq() const { return send_cq_; }
    [[nodiscard]] const Cq& receive_cq() const { return receive_cq_; }
    [[nodiscard]] Driver& driver() { return driver_; }
    // A request that was wanted before its post: its ledger begins then.
    struct Wanted {
        Picoseconds at{};
        Account why{};        // reason of the wait
        Picoseconds until{};  // end of that wait; from then on it waited for software
    };
    void wanted(const Wanted& wanted) { wanted_ = wanted; }

    // Without silent requests, the oldest of the slots returned by polls since the last call would have been free this
    // much earlier.
    [[nodiscard]] Picoseconds take_slots_held() { return std::exchange(slots_held_, Picoseconds{}); }
    void slots_held(Picoseconds span) { slots_held_ = std::max(slots_held_, span); }

    enum class State : std::uint8_t { idle, connecting, connected, disconnected };
    [[nodiscard]] State state() const { return state_; }
    void set_state(State state) { state_ = state; }
    void set_connector(Connector* connector) { connector_ = connector; }
    [[nodiscard]] Connector* connector() { return connector_; }

private:
    // The parts of an initiator request.
    struct Initiation {
        WqeOpcode opcode{};
        OperationKind kind{};
        RemoteRange remote{};
        MrKey key{};  // to be invalidated
    };
    // A posted request until software knows of its end.
    struct Request {
        void* context = nullptr;
        std::uint32_t number = 0;
        OperationKind kind{};
        MrKey key{};  // of a Bind or an Invalidate
        bool silent = false;
        bool slot_is_free = false;  // before its completion has been polled
    };
    class Entry;  // of a work queue, while it is built

    void begin_close() override;
    void end_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override;
    [[nodiscard]] Completion complete_receive(const Cqe& cqe);
    [[nodiscard]] Completion complete_invalidation(const Cqe& cqe);
    [[nodiscard]] NTSTATUS initiate(const Initiation& what, void* context, std::span<const LocalPiece> pieces,
                                    const RequestOptions& options);
    [[nodiscard]] NTSTATUS refuse_send(NTSTATUS status);
    [[nodiscard]] bool can_initiate() const;
    [[nodiscard]] bool fits_units(WqeOpcode opcode, std::uint32_t asked_for, std::size_t sges) const;
    [[nodiscard]] bool has_lost_completions() const;
    [[nodiscard]] bool send_queue_full();
    void look_at_head();
    [[nodiscard]] bool is_rung_for(bool deferred) const;
    void enqueue(Entry& entry, Request request, const RequestOptions& options);
    void enqueue_operation(const KeyOperation& operation, const Request& request, const RequestOptions& options);
    // The number of a new request; opens its ledger.
    [[nodiscard]] std::uint32_t open_request(OperationKind kind, bool silent);
    void ring_send_doorbell();
    void ring_held_doorbell();
    // Software learns of the request's end.
    void retire(const Request& request, NTSTATUS status, std::uint32_t bytes, bool silent);
    void retire_oldest_send(NTSTATUS status, bool silent);

    Driver& driver_;
    Pd& pd_;
    Cq& receive_cq_;
    Cq& send_cq_;
    Srq* const srq_;
    void* const context_;
    const QpLimits limits_;
    QpWatch& watch_;
    const QpNum number_;
    SerialCalls send_calls_;
    SerialCalls receive_calls_;
    const std::uint32_t send_units_;     // of the largest entry
    const std::uint32_t receive_units_;  // of every entry
    // Sizes of the rings: powers of two, so that absolute indices may wrap.
    const std::uint32_t send_ring_units_;
    const std::uint32_t receive_entries_;
    State state_ = State::idle;
    bool failed_ = false;
    bool flushed_ = false;                            // by this side
    int flushes_ = 0;                                 // under way
    std::optional<Picoseconds> doorbell_held_until_;  // until the flushes end; the time of the last post
    bool created_ = false;
    int unpolled_cqs_ = 0;  // of a closed queue pair
    Connector* connector_ = nullptr;

    HostMemory::Region send_ring_;
    HostMemory::Region receive_ring_;
    HostMemory::Region head_;    // written by the NIC for the send queue: with Reclaim::on_retire
    HostMemory::Region record_;  // of its doorbells, if the driver keeps records
    Ring<Request> sends_;        // those not known to have ended
    std::vector<Request> receives_;
    std::uint32_t sends_posted_ = 0;
    std::uint32_t sends_reclaimed_ = 0;  // slots
    std::uint32_t sends_rung_ = 0;
    std::uint32_t send_producer_ = 0;  // in units
    std::uint32_t send_rung_ = 0;
    std::uint32_t receives_posted_ = 0;
    std::uint32_t receives_reclaimed_ = 0;
    std::uint32_t last_request_ = 0;
    std::optional<Wanted> wanted_;  // for the next request
    Picoseconds slots_held_{};
};

}  // namespace ndsim::core

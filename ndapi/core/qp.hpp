// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ndapi/core/cq.hpp"
#include "ndapi/core/receive_queue.hpp"
#include "ndapi/core/send_queue.hpp"
#include "ndapi/core/serial_calls.hpp"

namespace ndsim::core {

class Connector;
class Srq;

// Qp: a queue pair as the driver sees it: what may be posted to its two queues, the completions of both, and its way
// from creation through flushes to its end.
class Qp final : public Object, public RegisteredQp {
public:
    // A queue pair with a shared receive queue has none of its own; `limits` for receives do not apply.
    Qp(Pd& pd, Cq& receive_cq, Cq& send_cq, Srq* srq, void* context, const QpLimits& limits);
    ~Qp() override { driver_.registry().remove(number_); }

    // The consumer must not post to one of its queues on two cores at a time [K27].
    void report_overlaps();
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
    void failed(WcStatus why) override;
    [[nodiscard]] Completion complete(const Cqe& cqe) override;
    [[nodiscard]] std::uint32_t deferred() const override { return sends_.deferred().count(); }
    // The number of the last posted request.
    [[nodiscard]] std::uint32_t last_request() const { return last_request_; }

    // Its completions can be polled even after it is closed [K207].
    void when_unused(const std::function<void()>& forget) override;

    [[nodiscard]] QpNum number() const override { return number_; }
    // Whether its receives come from a shared queue.
    [[nodiscard]] bool shares_receives() const { return srq_ != nullptr; }
    [[nodiscard]] const Cq& send_cq() const override { return send_cq_; }
    [[nodiscard]] const Cq& receive_cq() const override { return receive_cq_; }
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
    void slots_held(Picoseconds span) override { slots_held_ = std::max(slots_held_, span); }

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
    void begin_close() override;
    void end_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override;
    [[nodiscard]] Completion complete_receive(const Cqe& cqe);
    [[nodiscard]] Completion complete_invalidation(const Cqe& cqe);
    [[nodiscard]] NTSTATUS initiate(const Initiation& what, void* context, std::span<const LocalPiece> pieces,
                                    const RequestOptions& options);
    [[nodiscard]] NTSTATUS why_not(const Initiation& what, std::span<const LocalPiece> pieces,
                                   const RequestOptions& options);
    template <class Make>
    [[nodiscard]] NTSTATUS change_key(OperationKind kind, bool same_pd, NTSTATUS error, void* context,
                                      const RequestOptions& options, Make make);
    [[nodiscard]] std::uint32_t most_sges() const { return driver_.params().nic.queues.max_sge; }
    [[nodiscard]] NTSTATUS refuse_send(NTSTATUS status);
    [[nodiscard]] bool can_initiate() const { return state_ == State::connected && !has_lost_completions(); }
    [[nodiscard]] bool has_lost_completions() const;
    void post_send(WqeEntry& entry, const SendQueue::Request& request, const RequestOptions& options);
    // The number of a new request; opens its ledger.
    [[nodiscard]] std::uint32_t open_request(OperationKind kind, bool silent);

    // Those that every post reads or writes come first, side by side.
    Driver& driver_;
    Cq& receive_cq_;
    Cq& send_cq_;
    QpWatch& watch_;
    const QpNum number_;
    State state_ = State::idle;
    bool failed_ = false;
    bool flushed_ = false;  // by this side
    std::uint32_t last_request_ = 0;
    const QpLimits limits_;
    std::optional<Wanted> wanted_;  // for the next request
    SerialCalls send_calls_;
    SendQueue sends_;
    std::optional<ReceiveQueue> receives_;  // none: it shares receives
    SerialCalls receive_calls_;
    Connector* connector_ = nullptr;
    Pd& pd_;
    Srq* const srq_;
    void* const context_;
    HostMemory::Region record_;  // of its doorbells, if the driver keeps records
    Picoseconds slots_held_{};
    int unpolled_cqs_ = 0;  // of a closed queue pair
};

}  // namespace ndsim::core

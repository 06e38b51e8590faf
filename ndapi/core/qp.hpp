// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ndapi/core/cq.hpp"
#include "ndapi/core/initiator.hpp"
#include "ndapi/core/receive_queue.hpp"
#include "ndapi/core/send_queue.hpp"
#include "ndapi/core/serial_calls.hpp"

namespace ndsim::core {

class Connector;
class Srq;

// Qp: a queue pair as the driver sees it: what may be posted to its two queues, the completions of both, and its way
// from creation through flushes to its end.
class Qp final : public Object {
public:
    // A queue pair with a shared receive queue has none of its own; `limits` for receives do not apply.
    Qp(Pd& pd, Cq& receive_cq, Cq& send_cq, Srq* srq, void* context, const QpLimits& limits);
    ~Qp() override { driver_.registry().remove(number_); }

    // The consumer must not post to one of its queues on two cores at a time [K27].
    void report_overlaps();
    void create(std::function<void(NTSTATUS)> done);
    // Its send queue, for consumers.
    [[nodiscard]] Initiator& initiator() { return initiator_; }
    [[nodiscard]] NTSTATUS receive(void* context, std::span<const LocalPiece> pieces, Tells tells = Tells::at_once);
    // Rings one doorbell for all posted receives.
    void ring_receive_doorbell();
    // Cancels everything outstanding on both queues; the oldest send-queue request ends with status `oldest`.
    void flush(WcStatus oldest = WcStatus::wr_flush);
    // As flush(); `quiet` is called when all requests are in the completion queues and no DMA is left [K151, K155].
    void flush_and_wait(std::function<void()> quiet);
    // The NIC reports that it has failed.
    void failed(WcStatus why);
    // Takes one of its CQEs: finds its request, and frees slots.
    [[nodiscard]] Completion complete(const Cqe& cqe);
    // The completion will never be polled.
    void drop(const Cqe& cqe);
    // The number of requests whose doorbell has not been rung.
    [[nodiscard]] std::uint32_t deferred() const { return sends_.deferred().count(); }
    // For the initiator.
    [[nodiscard]] bool can_initiate() const { return state_ == State::connected && !has_lost_completions(); }
    // The number of a new request; opens its ledger.
    [[nodiscard]] std::uint32_t open_request(OperationKind kind, bool silent);

    // The number of the last posted request.
    [[nodiscard]] std::uint32_t last_request() const { return last_request_; }

    // Its completions can be polled even after it is closed [K207].
    void when_unused(const std::function<void()>& forget) override;

    [[nodiscard]] QpNum number() const { return number_; }
    // Whether its receives come from a shared queue.
    [[nodiscard]] bool shares_receives() const { return srq_ != nullptr; }
    // Its completion queues, which may be gone once it is closed.
    [[nodiscard]] CqNum send_cq() const { return send_cq_number_; }
    [[nodiscard]] CqNum receive_cq() const { return receive_cq_number_; }
    [[nodiscard]] Driver& driver() { return driver_; }
    // Has the callback called when the NIC has learned of receives, with the number of all so far.
    void hear_of_receives(std::function<void(std::uint32_t)> callback) { on_receives_ = std::move(callback); }
    // A request that was wanted before its post: its ledger begins then.
    struct Wanted {
        Picoseconds at{};
        Account why{};        // reason of the wait
        Picoseconds until{};  // end of that wait; from then on it waited for software
    };
    void wanted(const Wanted& wanted) { wanted_ = wanted; }

    // How many silent requests have ended without a completion, as far as software knows.
    [[nodiscard]] std::uint32_t silent_ends() const { return sends_.silent_ends(); }
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
    void begin_close() override;
    void end_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override;
    [[nodiscard]] Completion complete_receive(const Cqe& cqe);
    [[nodiscard]] Completion complete_invalidation(const Cqe& cqe);
    [[nodiscard]] bool has_lost_completions() const;

    // Those that every post reads or writes come first, side by side.
    Driver& driver_;
    Cq& receive_cq_;
    Cq& send_cq_;
    const CqNum receive_cq_number_;
    const CqNum send_cq_number_;
    QpWatch& watch_;
    const QpNum number_;
    State state_ = State::idle;
    bool failed_ = false;
    bool flushed_ = false;  // by this side
    std::uint32_t last_request_ = 0;
    const QpLimits limits_;
    std::optional<Wanted> wanted_;  // for the next request
    SendQueue sends_;
    Initiator initiator_;
    std::optional<ReceiveQueue> receives_;  // none: it shares receives
    SerialCalls receive_calls_;
    Connector* connector_ = nullptr;
    Pd& pd_;
    Srq* const srq_;
    void* const context_;
    HostMemory::Region record_;  // of its doorbells, if the driver keeps records
    Picoseconds slots_held_{};
    std::function<void(std::uint32_t)> on_receives_;
    int unpolled_cqs_ = 0;  // of a closed queue pair
};

}  // namespace ndsim::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "models/ports/arm.hpp"
#include "ndapi/core/completion.hpp"
#include "ndapi/core/cq_notifications.hpp"
#include "ndapi/core/cq_ring_chain.hpp"
#include "ndapi/core/driver.hpp"
#include "ndapi/core/object.hpp"
#include "ndapi/core/serial_calls.hpp"

namespace ndsim::core {

// Cq: a completion queue as the driver sees it: a ring in host memory that the NIC fills. A core can poll a CQE once it
// has the line, poll_detect after the CQE became visible.
class Cq final : public Object, public MemoryWatcher {
public:
    using Notification = CqNotifications::Notification;

    Cq(Driver& driver, std::uint32_t depth, Notification notify);

    // Completions polled between two updates to the NIC.
    [[nodiscard]] static std::uint32_t update_every(std::uint32_t depth, const QueueParams& params) {
        return std::clamp(depth / 4, 1U, params.cq_update_every);
    }

    // Call before create(): a failed request, too, meets an arm for errors.
    void count_failures_as_errors() { failures_are_errors_ = true; }
    [[nodiscard]] bool failures_are_errors() const { return failures_are_errors_; }
    // Call before create(): an arm asks only for completions that meet it, whatever nic.cq.arm_immediate says.
    void type_arms() { arms_are_typed_ = true; }
    // Call before create(): a key that a peer's message invalidates has its own entry before the receive's.
    void report_invalidations() { reports_invalidations_ = true; }
    // The consumer must not poll on two cores at a time, nor arm meanwhile [K82].
    void report_overlaps() { calls_.report_overlaps(); }
    // `done` is called once the NIC knows the queue.
    void create(std::function<void(NTSTATUS)> done);
    [[nodiscard]] CqNum number() const { return number_; }
    [[nodiscard]] Driver& driver() { return driver_; }
    [[nodiscard]] std::uint32_t depth() const { return depth_; }

    // Takes up to results.size() completions out of the queue; charges the calling core.
    std::size_t poll(std::span<Completion> results);
    // A core's write of its consumer index reaches memory.
    void store_consumer_index(std::uint32_t consumer);
    // Whether a poll by the calling core, at its clock, would find something.
    [[nodiscard]] bool can_poll();
    // The calling core continues when a poll can find something: a thread blocks, a stepper returns.
    void wait();
    // The simulation must have caught up with the calling core: what has come by then may meet the arm.
    void arm(Arm wish);
    // Removes the arm. Completions until the next arm count as not yet reported.
    void disarm() { notifications_.disarm(); }
    // Entries that no poll has taken and that report a failure.
    [[nodiscard]] std::vector<Cqe> unpolled_failures() const { return rings_.failures(consumer_, placed_); }
    // Whether a poll by the calling core, at its clock, would find such an entry.
    [[nodiscard]] bool holds_failure() const { return failures() != polled_failures_; }
    // Requests so far that did not succeed, as far as polls have found or would find them.
    [[nodiscard]] std::uint64_t failures() const {
        return polled_failures_ + rings_.failures(consumer_, findable()).size();
    }
    // Changes the queue's depth. `done` is called with the outcome if this returns STATUS_PENDING.
    [[nodiscard]] NTSTATUS resize(std::uint32_t depth, std::function<void(NTSTATUS)> done);
    // From soon on, the queue's interrupts wait as this allows.
    void moderate(const Moderation& moderation);
    // The NIC's interrupt; and its report that the queue has overrun.
    void interrupted();
    void failed() { notifications_.failed(closing()); }
    [[nodiscard]] bool has_failed() const { return notifications_.has_failed(); }
    // Calls back when all present entries have been polled, or the queue is closed.
    void when_polled(std::function<void()> callback);

    void memory_written(Address address, std::uint64_t length, Picoseconds at) override;

private:
    void store_arm();
    void begin_destroy() override;
    void end_close() override;
    void resized(std::uint32_t depth, Address ring);
    void moderate_in_nic();
    [[nodiscard]] std::uint32_t findable() const;
    [[nodiscard]] std::size_t take(std::span<Completion> results, std::size_t& entries);
    void tell_consumer_index();
    void tell_polled();
    void drop_unpolled();
    void enlist(Core& core);

    Driver& driver_;
    std::uint32_t depth_;
    std::uint32_t update_every_;
    CqNotifications notifications_;
    Arm armed_for_{};
    std::uint32_t armed_from_ = 0;  // CQEs before the first that counts for the arm
    CqWatch& watch_;
    CqNum number_;
    SerialCalls calls_;
    std::uint32_t vector_ = 0;
    CqRingChain rings_;
    HostMemory::Region record_;  // doorbell record; the NIC always reads the consumer index in it
    std::uint32_t resizes_pending_ = 0;
    bool resize_taken_ = false;  // the NIC's answer to the current resize
    std::optional<Moderation> moderation_;
    bool failures_are_errors_ = false;
    std::uint64_t polled_failures_ = 0;
    bool arms_are_typed_ = false;
    bool reports_invalidations_ = false;
    std::uint32_t consumer_ = 0;
    std::uint32_t reported_consumer_ = 0;
    std::uint32_t placed_ = 0;  // CQEs visible so far
    Ring<Picoseconds> visible_since_;
    std::vector<Core*> waiting_;
    std::vector<std::pair<std::uint32_t, std::function<void()>>> when_polled_;  // with the index to reach
    bool ended_ = false;
};

}  // namespace ndsim::core

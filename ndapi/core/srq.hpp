// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/parts/srq_watch.hpp"
#include "ndapi/core/posting.hpp"
#include "ndapi/core/returned_slots.hpp"
#include "ndapi/core/serial_calls.hpp"

namespace ndsim::core {

// The sizes that a shared receive queue is created with.
struct SrqLimits {
    std::uint32_t depth = 0;
    std::uint32_t sges = 0;
    std::uint32_t threshold = 0;  // notifies once when fewer are left, after this many have been there; 0: never
};

// Srq: a shared receive queue as the driver sees it: a ring in host memory that it fills for several queue pairs. A
// receive's completion comes with its queue pair's, so polls may see completions out of the ring's order; slots are
// freed in the ring's order.
class Srq final : public Object {
public:
    using Notification = std::function<void(NTSTATUS)>;

    Srq(Pd& pd, const SrqLimits& limits, Notification notify);

    // The consumer must not post on two cores at a time [K27].
    void report_overlaps() { calls_.report_overlaps(); }
    void create(std::function<void(NTSTATUS)> done);
    [[nodiscard]] NTSTATUS receive(void* context, std::span<const LocalPiece> pieces);
    // Changes the depth, and arms the notification with a new threshold; 0 keeps the old value. `done` is called if
    // this returns STATUS_PENDING.
    [[nodiscard]] NTSTATUS modify(std::uint32_t depth, std::uint32_t threshold, std::function<void(NTSTATUS)> done);
    // The NIC reports that fewer receives are left than the threshold.
    void limit_reached();

    // A receive whose completion is polled, and the slots that it returns.
    struct Reclaimed {
        void* context = nullptr;
        std::uint32_t request = 0;
        std::uint32_t slots = 0;
    };
    [[nodiscard]] Reclaimed complete(std::uint32_t index);
    // A receive whose completion will never be polled.
    void drop(std::uint32_t index, Picoseconds at);
    // When a slot may be free, from `at` on; none: no poll has brought one.
    [[nodiscard]] std::optional<Picoseconds> room_at(Picoseconds at);
    // Called whenever slots are free again, by the core that polls a completion.
    void on_reclaimed(std::function<void()> callback) { on_reclaimed_ = std::move(callback); }
    // Queue pairs whose completions may still name its receives. It is kept as long, even if closed.
    void add_user() { ++users_; }
    void remove_user();
    void when_unused(const std::function<void()>& forget) override;

    [[nodiscard]] SrqNum number() const { return number_; }
    [[nodiscard]] const Pd& pd() const { return pd_; }
    [[nodiscard]] SrqWatch& watch() { return watch_; }
    [[nodiscard]] ReturnedSlots& returned() { return returned_; }
    // The number of the last posted receive.
    [[nodiscard]] std::uint32_t last_request() const { return last_request_; }
    // Receives posted and not reclaimed.
    [[nodiscard]] std::uint32_t outstanding() const { return posted_ - reclaimed_; }
    // Receives that fit into it; during a change, into both of its rings.
    [[nodiscard]] std::uint32_t depth() const;

private:
    // A posted receive.
    struct Request {
        void* context = nullptr;
        std::uint32_t number = 0;
        bool completed = false;
    };
    // A ring in host memory.
    struct RingMemory {
        HostMemory::Region region;
        std::uint32_t entries = 0;  // a power of two, so that absolute indices may wrap
        std::uint32_t depth = 0;
    };

    void end_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override { return {&pd_}; }
    [[nodiscard]] Driver& driver() { return pd_.driver(); }
    [[nodiscard]] std::byte* entry(const RingMemory& ring, std::uint32_t index) const;
    void add_ring(std::uint32_t depth);
    void copy_outstanding(const RingMemory& from, const RingMemory& to);
    void write_entry(const WqeHeader& header, std::span<const LocalPiece> pieces);

    Pd& pd_;
    const SrqLimits limits_;
    const Notification notify_;
    SrqWatch& watch_;
    const SrqNum number_;
    SerialCalls calls_;
    const std::uint32_t stride_;  // units of every entry
    std::vector<RingMemory> rings_;
    HostMemory::Region record_;  // of its doorbells, if the driver keeps records
    std::size_t nic_ring_ = 0;   // the NIC's ring in rings_; the NIC does not know later ones yet
    std::vector<Request> requests_;
    ReturnedSlots returned_;
    std::uint32_t posted_ = 0;
    std::uint32_t reclaimed_ = 0;
    std::uint32_t last_request_ = 0;
    std::uint32_t users_ = 0;
    bool ended_ = false;
    std::function<void()> forget_;
    std::function<void()> on_reclaimed_;
};

}  // namespace ndsim::core

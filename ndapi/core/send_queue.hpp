// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parts/qp_watch.hpp"
#include "ndapi/core/deferred_sends.hpp"
#include "ndapi/core/qp_limits.hpp"
#include "ndapi/core/returned_slots.hpp"
#include "ndapi/core/wqe_entry.hpp"

namespace ndsim::core {

// SendQueue: the send queue of a queue pair as the driver sees it: the ring that software fills, and the requests until
// software knows of their end. A slot is free again when a completion of its request, or of a later one, is polled;
// with Reclaim::on_retire when the NIC has told memory that the request is retired.
class SendQueue {
public:
    // A posted request until software knows of its end.
    struct Request {
        void* context = nullptr;
        std::uint32_t number = 0;
        OperationKind kind{};
        MrKey key{};  // of a Bind or an Invalidate
        bool silent = false;
        bool slot_is_free = false;  // before its completion has been polled
        std::uint32_t first_unit = 0;
        Picoseconds posted{};
    };

    // `record`: as for DeferredSends.
    SendQueue(Driver& driver, QpNum qp, QpWatch& watch, const QpLimits& limits, const HostMemory::Region& record);

    // Allocates host memory and names it to the NIC; and gives it back.
    void allocate(QpAttributes& attributes);
    void free();

    // Takes back the slots that the NIC has named in memory; whether there is none.
    [[nodiscard]] bool full();
    // Writes a request, and rings for it and for those before it unless it is deferred. There is a slot.
    void post(WqeEntry& entry, Request request, bool deferred);
    // The end of what has been posted by the calling core's clock. Another core may be ahead of it.
    [[nodiscard]] SendRing::End posted_by_now() const;
    [[nodiscard]] DeferredSends& deferred() { return deferred_; }
    [[nodiscard]] const DeferredSends& deferred() const { return deferred_; }

    // A completion names the request with this index: silent ones before it have succeeded, and end here [K55, K56].
    // Throws InvariantError if that request is not outstanding.
    [[nodiscard]] const Request& oldest_from(std::uint32_t index);
    // Software learns of the end of the oldest request.
    void retire_oldest(NTSTATUS status, bool silent);
    // How many silent requests have ended without a completion, as far as software knows.
    [[nodiscard]] std::uint32_t silent_ends() const { return silent_ends_; }

private:
    void look_at_head();
    [[nodiscard]] std::uint32_t oldest() const { return ring_.posted - static_cast<std::uint32_t>(requests_.size()); }

    Driver& driver_;
    const QpNum qp_;
    QpWatch& watch_;
    const std::uint32_t depth_;
    SendRing ring_;
    DeferredSends deferred_;
    Ring<Request> requests_;  // those not known to have ended
    std::uint32_t silent_ends_ = 0;
    ReturnedSlots returned_;
    HostMemory::Region head_;  // written by the NIC: with Reclaim::on_retire
};

}  // namespace ndsim::core

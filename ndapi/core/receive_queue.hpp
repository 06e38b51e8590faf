// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "models/parts/qp_watch.hpp"
#include "ndapi/core/qp_limits.hpp"
#include "ndapi/core/returned_slots.hpp"
#include "ndapi/core/wqe_entry.hpp"

namespace ndsim::core {

// ReceiveQueue: the receive queue of a queue pair as the driver sees it: the ring that software fills, its doorbell,
// and the receives until their completions are polled, which happens in the ring's order.
class ReceiveQueue {
public:
    // A posted receive.
    struct Request {
        void* context = nullptr;
        std::uint32_t number = 0;
    };

    // `record`: of the queue pair's doorbells, if the driver keeps records.
    ReceiveQueue(Driver& driver, QpNum qp, QpWatch& watch, const QpLimits& limits, const HostMemory::Region& record);

    // Allocates host memory and names it to the NIC; and gives it back.
    void allocate(QpAttributes& attributes);
    void free() { driver_.memory().remove(ring_.base); }

    [[nodiscard]] bool full() { return posted_ - reclaimed_ + returned_.to_come(driver_.core().clock()) >= depth_; }
    // Writes a receive. There is a slot.
    void post(const Request& request, std::span<const LocalPiece> pieces);
    // Tells the NIC of all posted receives: with RqDoorbell::record in the record alone, unless it must hear `at_once`.
    void ring(bool at_once);
    [[nodiscard]] std::uint32_t posted() const { return posted_; }

    // A completion names the receive with this index.
    [[nodiscard]] const Request& complete(std::uint32_t index);
    [[nodiscard]] ReturnedSlots& returned() { return returned_; }

private:
    Driver& driver_;
    const QpNum qp_;
    QpWatch& watch_;
    const std::uint32_t depth_;
    const std::uint32_t stride_;   // units of every entry
    const std::uint32_t entries_;  // a power of two, so that absolute indices may wrap
    HostMemory::Region ring_;
    const HostMemory::Region& record_;
    std::vector<Request> requests_;
    ReturnedSlots returned_;
    std::uint32_t posted_ = 0;
    std::uint32_t reclaimed_ = 0;
};

}  // namespace ndsim::core

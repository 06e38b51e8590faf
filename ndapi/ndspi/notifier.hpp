// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/overlapped_calls.hpp"

namespace ndsim::nd {

// Notifier: the Notify requests of a completion queue. One notification of the queue ends all that wait for results;
// those that wait for errors keep waiting unless an error counts for them.
class Notifier {
public:
    Notifier(core::Cq& cq, OverlappedCalls& requests) : cq_(cq), requests_(requests) {}

    // ND_PENDING, or ND_INVALID_PARAMETER for an unknown type.
    [[nodiscard]] HRESULT notify(ULONG type, OVERLAPPED& overlapped);
    // The queue's notification.
    void told(NTSTATUS status);
    // The requests have been cancelled.
    void cancelled();

private:
    // A Notify request that waits.
    struct Wait {
        OverlappedCalls::Id request{};
        Arm arm{};
    };

    [[nodiscard]] HRESULT overrun() const;
    void arm();

    core::Cq& cq_;
    OverlappedCalls& requests_;
    std::vector<Wait> waits_;
    std::uint64_t failures_told_ = 0;  // failures already reported, or polled while nobody waited
};

}  // namespace ndsim::nd

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "ndapi/core/status.hpp"
#include "ndapi/windows/abi/ntstatus.h"

namespace ndsim::core {

// CqNotifications: what the consumer of a completion queue is told, and when: once for an arm, and never again after
// the queue has failed. Driver and NIC count notifications, so that the NIC answers no arm of the past.
class CqNotifications {
public:
    using Notification = std::function<void(NTSTATUS)>;

    explicit CqNotifications(Notification notify) : notify_(std::move(notify)) {}

    void arm() { armed_ = true; }
    void disarm();
    [[nodiscard]] bool has_failed() const { return failed_; }
    // The notifications so far, wanted or not.
    [[nodiscard]] std::uint32_t count() const { return count_; }
    // The number of CQEs that a poll could find when the last callback began.
    [[nodiscard]] std::uint32_t told() const { return told_; }

    // The NIC's interrupt, when a poll could find `found` CQEs. `meets_arm`: one of them meets the present arm, if
    // there is one. `closing`: the consumer wants no callback any more. True if the interrupt may answer an arm that
    // was removed, so that the NIC needs the present one again.
    [[nodiscard]] bool interrupted(std::uint32_t found, bool meets_arm, bool closing);
    // The NIC reports that the queue has overrun.
    void failed(bool closing);

private:
    void notify(NTSTATUS status, bool closing);

    Notification notify_;
    bool armed_ = false;
    bool removed_ = false;  // an arm since the last interrupt
    bool failed_ = false;
    bool told_of_failure_ = false;
    std::uint32_t count_ = 0;
    std::uint32_t told_ = 0;
};

}  // namespace ndsim::core

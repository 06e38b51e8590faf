// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cq_notifications.hpp"

namespace ndsim::core {

// An unwanted interrupt counts like any other: the NIC answers an arm only if both sides have counted as many.
void CqNotifications::interrupted(std::uint32_t placed, bool closing) {
    if (armed_) {
        notify(failed_ ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS, placed, closing);
    } else {
        ++count_;
    }
}

void CqNotifications::failed(std::uint32_t placed, bool closing) {
    failed_ = true;
    if (armed_) {
        notify(STATUS_BUFFER_OVERFLOW, placed, closing);
    }
}

// After a failure nothing more is reported.
void CqNotifications::notify(NTSTATUS status, std::uint32_t placed, bool closing) {
    if (told_of_failure_) {
        return;
    }
    told_of_failure_ = status != STATUS_SUCCESS;
    armed_ = false;
    told_ = placed;
    ++count_;
    if (!closing && notify_) {
        notify_(status);
    }
}

}  // namespace ndsim::core

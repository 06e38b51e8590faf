// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cq_notifications.hpp"

#include <utility>

namespace ndsim::core {

void CqNotifications::disarm() {
    removed_ = removed_ || armed_;
    armed_ = false;
}

// An unwanted interrupt counts like any other: the NIC answers an arm only if both sides have counted as many.
bool CqNotifications::interrupted(std::uint32_t found, bool meets_arm, bool closing) {
    const bool of_removed = std::exchange(removed_, false) && !failed_ && !meets_arm;
    if (armed_ && !of_removed) {
        told_ = found;
        notify(failed_ ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS, closing);
        return false;
    }
    ++count_;
    return armed_ && !closing;
}

void CqNotifications::failed(bool closing) {
    failed_ = true;
    if (armed_) {
        notify(STATUS_BUFFER_OVERFLOW, closing);
    }
}

// After a failure nothing more is reported.
void CqNotifications::notify(NTSTATUS status, bool closing) {
    if (told_of_failure_) {
        return;
    }
    told_of_failure_ = status != STATUS_SUCCESS;
    armed_ = false;
    ++count_;
    if (!closing && notify_) {
        notify_(status);
    }
}

}  // namespace ndsim::core

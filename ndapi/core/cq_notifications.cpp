// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cq_notifications.hpp"

#include <utility>

namespace ndsim::core {

void CqNotifications::disarm() {
    removed_ = removed_ || armed_;
    armed_ = false;
}

// An unwanted interrupt counts like any other: the NIC answers an arm only if both sides have counted as many.
bool CqNotifications::interrupted(std::uint32_t placed, bool closing) {
    const bool of_removed = std::exchange(removed_, false) && !failed_;
    if (armed_ && !of_removed) {
        notify(failed_ ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS, placed, closing);
        return false;
    }
    ++count_;
    return armed_ && !closing;
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

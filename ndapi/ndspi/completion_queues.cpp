// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/completion_queues.hpp"

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/blocking.hpp"

namespace ndsim::nd {

// For errors it follows the documents; InfiniBand's providers end such requests only for the queue's own errors.
void set_arms(core::Cq& cq) {
    cq.type_arms();
    const core::Driver& driver = cq.driver();
    if (driver.profile() == StatusProfile::documented || driver.params().nic.queues.cq.errors_arm_on_failed_wr) {
        cq.count_failures_as_errors();
    }
}

HRESULT resize(core::Cq& cq, std::uint64_t depth) {
    if (!cq.driver().params().nic.queues.cq.can_resize) {
        return ND_NOT_SUPPORTED;
    }
    if (depth == 0 || depth > core::kMaxCqDepth) {
        return ND_INVALID_PARAMETER;
    }
    return core::wait_for(cq.driver(), "its CQ to be resized",
                          [&](const auto& done) { return cq.resize(static_cast<std::uint32_t>(depth), done); });
}

}  // namespace ndsim::nd

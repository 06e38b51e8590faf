// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/completion_queues.hpp"

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/blocking.hpp"
#include "ndapi/core/cq_depth.hpp"
#include "ndapi/core/rounding.hpp"

namespace ndsim::nd {

// For errors it follows the documents; InfiniBand's providers end such requests only for the queue's own errors.
void set_arms(core::Cq& cq) {
    cq.type_arms();
    const core::Driver& driver = cq.driver();
    if (driver.profile() == StatusProfile::documented || driver.params().nic.queues.cq.errors_arm_on_failed_wr) {
        cq.count_failures_as_errors();
    }
}

std::uint32_t rounded_cq_depth(const core::Driver& driver, std::uint64_t depth, Rounding by_interface) {
    const auto asked = static_cast<std::uint32_t>(depth);
    return core::rounds(driver, by_interface) ? core::field_cq_depth(asked) : asked;
}

HRESULT resize(core::Cq& cq, std::uint64_t depth, Rounding by_interface) {
    if (!cq.driver().params().nic.queues.cq.can_resize) {
        return ND_NOT_SUPPORTED;
    }
    if (depth == 0 || depth > core::kMaxCqDepth) {
        return ND_INVALID_PARAMETER;
    }
    core::catch_up(cq.driver());
    const std::uint32_t rounded = rounded_cq_depth(cq.driver(), depth, by_interface);
    return core::wait_for(cq.driver(), "its CQ to be resized",
                          [&](const auto& done) { return cq.resize(rounded, done); });
}

}  // namespace ndsim::nd

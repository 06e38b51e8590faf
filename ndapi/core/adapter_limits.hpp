// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ndapi/core/cq_depth.hpp"
#include "ndapi/core/driver.hpp"

namespace ndsim::core {

// The adapter's limits, for the structure in which each interface reports them.
struct AdapterLimits {
    std::uint64_t registration_size = 0;
    std::uint64_t window_size = 0;
    std::uint32_t initiator_sges = 0;
    std::uint32_t receive_sges = 0;
    std::uint32_t read_sges = 0;
    std::uint32_t transfer_length = 0;
    std::uint32_t inline_bytes = 0;
    std::uint32_t inbound_reads = 0;
    std::uint32_t outbound_reads = 0;
    std::uint32_t receive_depth = 0;
    std::uint32_t initiator_depth = 0;
    std::uint32_t srq_depth = 0;  // 0: no shared receive queues
    std::uint32_t cq_depth = 0;
    std::uint32_t large_request = 0;  // from this size on Reads and Writes beat messages
    std::uint32_t caller_data = 0;
    std::uint32_t callee_data = 0;
};

[[nodiscard]] AdapterLimits limits_of(const Driver& driver);

}  // namespace ndsim::core

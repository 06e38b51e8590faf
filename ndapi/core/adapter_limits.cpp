// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/adapter_limits.hpp"

#include "ndapi/core/connector.hpp"
#include "ndapi/core/posting.hpp"

namespace ndsim::core {

namespace {

constexpr std::uint32_t kMaxQueueDepth = 32768;
constexpr std::uint64_t kMaxRegistration = 1ULL << 40U;
constexpr std::uint32_t kLargeRequest = 16 * 1024;

}  // namespace

AdapterLimits limits_of(const Driver& driver) {
    const QueueParams& queues = driver.params().nic.queues;
    AdapterLimits limits;
    limits.registration_size = kMaxRegistration;
    limits.window_size = kMaxRegistration;
    limits.initiator_sges = queues.max_sge;
    limits.receive_sges = queues.max_sge;
    limits.read_sges = queues.max_sge;
    limits.transfer_length = static_cast<std::uint32_t>(kMaxTransfer);
    limits.inline_bytes = queues.inline_max;
    limits.inbound_reads = Connector::kMaxReads;
    limits.outbound_reads = Connector::kMaxReads;
    limits.receive_depth = kMaxQueueDepth;
    limits.initiator_depth = driver.params().adapter.max_initiator_depth;
    limits.srq_depth = queues.srq.max_depth;
    limits.cq_depth = kMaxCqDepth;
    limits.large_request = kLargeRequest;
    limits.caller_data = Connector::kCallerData;
    limits.callee_data = Connector::kCalleeData;
    return limits;
}

}  // namespace ndsim::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ndapi/core/endpoint.hpp"
#include "ndapi/core/posting.hpp"
#include "sim/base/units.hpp"

namespace ndsim::wsd {

// The provider's choices where Winsock Direct leaves one.
struct Options {
    Picoseconds upcall_delay{};          // from an operation's end until the switch is told
    Picoseconds upcall_jitter{};         // up to this much more, at random: upcalls may overtake each other (W45)
    std::uint64_t seed = 0;              // of the random numbers
    bool immediate_sends = false;        // inline sends are done when the call returns (W16)
    bool rdma_read = true;               // WSPRdmaRead exists
    bool cache_callback = true;          // the cache callback exists; without it nothing is cached (W81)
    std::uint32_t registrations = 1024;  // of one socket, cached ones included
    std::uint32_t receive_sges = 1;      // buffers of a receive, as far as the adapter allows
    std::uint32_t max_message = core::kMaxTransfer;  // SO_MAX_MSG_SIZE and SO_MAX_RDMA_SIZE
};

// A connected socket's queue pair (wsd.md 6).
inline constexpr std::uint32_t kSendDepth = 16;
inline constexpr std::uint32_t kReceiveDepth = 16;
inline constexpr std::uint32_t kSendSges = 8;
inline constexpr core::ReadLimits kReadLimits{4, 4};

// Values that WSPGetSockOpt returns (wsd.md 5.4).
inline constexpr std::uint32_t kRdmaThreshold = 4096;

}  // namespace ndsim::wsd

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ndapi/core/endpoint.hpp"
#include "ndapi/core/posting.hpp"
#include "sim/base/units.hpp"

namespace ndsim::wsd {

// What a provider does where Winsock Direct leaves it a choice.
struct Options {
    Picoseconds upcall_delay{};          // from an operation's end until the switch is told
    Picoseconds upcall_jitter{};         // up to so much more, by chance: upcalls may overtake each other (W45)
    std::uint64_t seed = 0;              // of that chance
    bool immediate_sends = false;        // what goes inline is done when the call returns (W16)
    bool rdma_read = true;               // there is WSPRdmaRead
    bool cache_callback = true;          // there is the cache callback; without it nothing is cached (W81)
    std::uint32_t registrations = 1024;  // of one socket, cached ones included
    std::uint32_t receive_sges = 1;      // buffers of a receive, as far as the adapter takes so many
    std::uint32_t max_message = core::kMaxTransfer;  // SO_MAX_MSG_SIZE and SO_MAX_RDMA_SIZE
};

// A connected socket's queue pair (wsd.md 6).
inline constexpr std::uint32_t kSendDepth = 16;
inline constexpr std::uint32_t kReceiveDepth = 16;
inline constexpr std::uint32_t kSendSges = 8;
inline constexpr core::ReadLimits kReadLimits{4, 4};

// What WSPGetSockOpt tells (wsd.md 5.4).
inline constexpr std::uint32_t kRdmaThreshold = 4096;

}  // namespace ndsim::wsd

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ndsim::core {

// An IPv4 address and a port, in host order.
struct Endpoint {
    std::uint32_t ip = 0;
    std::uint16_t port = 0;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// The numbers of Reads that may be outstanding in each direction.
struct ReadLimits {
    std::uint32_t inbound = 0;
    std::uint32_t outbound = 0;
};

}  // namespace ndsim::core

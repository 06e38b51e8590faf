// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "ndapi/core/endpoint.hpp"
#include "ndapi/windows/abi/types.h"

namespace ndsim::core {

// The address in a SOCKADDR, if it is IPv4, the only kind that the adapters support.
[[nodiscard]] std::optional<Endpoint> endpoint_of(const SOCKADDR* address, std::size_t length);
// An endpoint as an IPv4 address.
[[nodiscard]] sockaddr_in address_of(const Endpoint& endpoint);

}  // namespace ndsim::core

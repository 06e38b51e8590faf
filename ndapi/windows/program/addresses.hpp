// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "ndapi/windows/abi/types.h"

namespace ndsim {

// "10.0.0.2" or "10.0.0.2:5000"; "fe80::1" or "[fe80::1]:5000". Without a port it is 0. Nothing for what is neither.
[[nodiscard]] std::optional<sockaddr_in> ipv4_address(std::string_view text);
[[nodiscard]] std::optional<sockaddr_in6> ipv6_address(std::string_view text);

}  // namespace ndsim

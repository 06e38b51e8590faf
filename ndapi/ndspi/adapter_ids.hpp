// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ndapi/core/driver.hpp"

namespace ndsim::nd {

inline constexpr std::uint16_t kVendorId = 0xFFFF;  // of no vendor
inline constexpr std::uint16_t kDeviceId = 1;

// Version 2's id of the adapter of a host.
[[nodiscard]] inline std::uint64_t adapter_id(core::Driver& driver) {
    return driver.ip_address();
}

}  // namespace ndsim::nd

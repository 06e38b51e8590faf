// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/windows/abi/unknown.h"
#include "ndapi/windows/os/process.hpp"

namespace ndsim::nd {

inline constexpr std::uint16_t kVendorId = 0xFFFF;  // of no vendor
inline constexpr std::uint16_t kDeviceId = 1;

// Version 2's id of the adapter of a host.
[[nodiscard]] std::uint64_t adapter_id(core::Driver& driver);
// NetworkDirect's provider for a program: IND2Provider or INDProvider. E_NOINTERFACE for any other IID.
[[nodiscard]] HRESULT create_provider(os::Process& process, REFIID iid, void** out);

}  // namespace ndsim::nd

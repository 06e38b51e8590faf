// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/windows/abi/unknown.h"
#include "ndapi/windows/os/process.hpp"

namespace ndsim::nd {

// NetworkDirect's provider for a program: IND2Provider or INDProvider. E_NOINTERFACE for any other IID.
[[nodiscard]] HRESULT create_provider(os::Process& process, REFIID iid, void** out);

}  // namespace ndsim::nd

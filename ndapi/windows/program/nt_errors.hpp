// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/windows/abi/ntstatus.h"

namespace ndsim {

// The last error that Windows makes of a failed call's status; ERROR_MR_MID_NOT_FOUND for one that it does not know.
[[nodiscard]] DWORD win32_error_of(NTSTATUS status);

}  // namespace ndsim

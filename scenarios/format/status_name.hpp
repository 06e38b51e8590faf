// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ndapi/windows/abi/types.h"

namespace ndsim {

// NTSTATUS as scenarios and tables name it: "success", "cancelled", "buffer_overflow" ...; or its number.
[[nodiscard]] std::string status_name(NTSTATUS status);

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"

namespace ndsim::format {

// What this process may use at most: the memory of the machine, or less if it has a limit.
[[nodiscard]] Bytes machine_memory();

}  // namespace ndsim::format

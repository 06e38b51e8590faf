// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"

namespace ndsim::format {

// The most memory that this process may use: the machine's memory, or a lower limit.
[[nodiscard]] Bytes machine_memory();

}  // namespace ndsim::format

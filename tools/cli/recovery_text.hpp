// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/cli/output.hpp"
#include "tools/cli/recovery.hpp"

namespace ndsim::cli {

// Empty if there was nothing to recover from.
[[nodiscard]] std::string recovery_text(const Recovery& recovery, const Paint& paint);

}  // namespace ndsim::cli

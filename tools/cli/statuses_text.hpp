// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/record/status_log.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// The statuses that software got, in order: all of a short run, of a long one those that are no successes. Empty if
// there are none.
[[nodiscard]] std::string statuses_text(const StatusLog& statuses, const Paint& paint);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::report {

// The page of a sweep. The same sweep makes the same bytes. cli::UsageError if the folder has no sweep.
[[nodiscard]] std::string sweep_page(const std::string& folder);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::report {

// The page of a folder of ndsim advise: the depths that meet the targets, and the figures over each depth. The same
// advice makes the same bytes. cli::UsageError if the folder's format is not this version's.
[[nodiscard]] std::string advice_page(const std::string& folder);

}  // namespace ndsim::report

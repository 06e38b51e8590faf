// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::report {

// The page of a folder of ndsim advise: the depths that meet the targets, and what is reached over each of them. The
// same advice makes the same bytes. cli::UsageError if that is not what this version writes.
[[nodiscard]] std::string advice_page(const std::string& folder);

}  // namespace ndsim::report

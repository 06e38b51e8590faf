// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::report {

// The page of a folder of ndsim sensitivity: for each metric a tornado, a bar for each parameter from the figure at one
// end of its range to that at the other, the longest at the top. The same study makes the same bytes. cli::UsageError
// if that is not what this version writes.
[[nodiscard]] std::string sensitivity_page(const std::string& folder);

}  // namespace ndsim::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::report {

// The page of a folder of ndsim sensitivity: a tornado for each metric, with a bar for each parameter from the figure
// at one end of its range to that at the other, the longest at the top. The same study makes the same bytes.
// cli::UsageError if the folder's format is not this version's.
[[nodiscard]] std::string sensitivity_page(const std::string& folder);

}  // namespace ndsim::report

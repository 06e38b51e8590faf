// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ndsim::cli {

[[nodiscard]] std::vector<std::string> log_levels();
// Logs go to stderr, SystemC's too: it would print its own among the results.
void log_to_stderr(const std::string& level);

}  // namespace ndsim::cli

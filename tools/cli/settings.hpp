// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

// Every parameter of a scenario with its value and who set it; `written` is what was read.
[[nodiscard]] std::vector<Setting> settings_of(Scenario scenario, const JsonNode& written);

}  // namespace ndsim::cli

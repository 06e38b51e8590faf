// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

// Every parameter of a scenario with its value and origin; `written` is the tree as read, whose first `from_presets`
// overrides come from presets.
[[nodiscard]] std::vector<Setting> settings_of(Scenario scenario, const JsonNode& written,
                                               std::size_t from_presets = 0);

}  // namespace ndsim::cli

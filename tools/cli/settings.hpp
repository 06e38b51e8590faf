// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

// Every parameter of a scenario with its value and who set it; `written` is what was read, with overrides of which so
// many, the first ones, are from presets.
[[nodiscard]] std::vector<Setting> settings_of(Scenario scenario, const JsonNode& written,
                                               std::size_t from_presets = 0);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Reads and checks a scenario file. `file` is its name for messages, `overrides` what --set says: path=value each.
// Presets come first, then the file, then the overrides. Throws ConfigError with everything that is wrong.
[[nodiscard]] Scenario load_scenario(const std::string& file, std::string_view text,
                                     std::span<const std::string> overrides = {});

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/cli/loaded.hpp"

namespace ndsim::sensitivity {

// The paths of the parameters without effect in any run of these scenarios. None after Ctrl-C.
[[nodiscard]] std::optional<std::set<std::string>> without_effect_in(const std::vector<const cli::Loaded*>& scenarios);

}  // namespace ndsim::sensitivity

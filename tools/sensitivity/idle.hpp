// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/loaded.hpp"

namespace ndsim::sensitivity {

// The parameters without effect in any run, by their paths, and how many percent of each value would have done as well:
// a larger value has no effect either, and neither has a smaller one down to that.
using Idle = std::map<std::string, std::uint32_t>;

// Those of the runs of these scenarios. None after Ctrl-C.
[[nodiscard]] std::optional<Idle> without_effect_in(const std::vector<const cli::Loaded*>& scenarios);

}  // namespace ndsim::sensitivity

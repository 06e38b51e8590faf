// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/effects.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::sensitivity {

// The values of a parameter that would have done as well, in percent of its own.
struct Harmless {
    std::uint32_t least = 0;
    std::uint32_t most = cli::kAnyMore;
};
// The parameters without effect in any run, by their paths.
using Idle = std::map<std::string, Harmless>;

// Those of the runs of these scenarios. None after Ctrl-C.
[[nodiscard]] std::optional<Idle> without_effect_in(const std::vector<const cli::Loaded*>& scenarios);

}  // namespace ndsim::sensitivity

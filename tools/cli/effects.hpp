// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// Never read: the event that it serves did not happen. Could not matter: it bounds something that never reached the
// bound, so a larger value would have changed nothing; or the reverse.
enum class Effect : std::uint8_t { never_read, could_not_matter };

inline constexpr std::uint32_t kAnyMore = UINT32_MAX;

// A parameter without influence on a run's outcome, and why.
struct NoEffect {
    std::string path;
    Effect effect{};
    std::string why;
    // Any value from so many percent of its own to so many would have done as well; for others that is not known.
    std::uint32_t least = 0;
    std::uint32_t most = kAnyMore;
};

// The parameters of hosts, switches and links without influence on a run's outcome, by the rules of their fields, or by
// the pools that they size.
[[nodiscard]] std::vector<NoEffect> without_effect(const std::vector<Setting>& settings, const Metrics& metrics,
                                                   std::span<const PoolUse> pools);
// The same as tables, above the load of wires and PCIe links.
[[nodiscard]] std::string effects_text(const std::vector<Setting>& settings, const RunResult& result,
                                       const Paint& paint);

}  // namespace ndsim::cli

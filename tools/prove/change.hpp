// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "tools/cli/limit_proofs.hpp"

namespace ndsim::prove {

inline constexpr std::int64_t kMoved = 20'000;  // 2 %: less is the noise of bunches and of a window's edges

// How the goodput of the generators together, and their mean latencies, differ between the metrics of two runs. Of a
// parameter of one generator only that one counts.
[[nodiscard]] cli::Change change_of(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after,
                                    std::string_view parameter);

// By how much the run is better, in parts per million: by its goodput. Where messages come by themselves, so that their
// goodput is given, by as much faster as they are through. In a closed loop a latency says no more than the goodput,
// and may say less: if the sender waits for the receiver before it posts, and no longer behind it. Nothing if it is
// worse.
[[nodiscard]] std::int64_t gain_of(const cli::Change& change, bool goodput_is_given);

}  // namespace ndsim::prove

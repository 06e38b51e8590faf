// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "tools/cli/limit_proofs.hpp"

namespace ndsim::prove {

inline constexpr std::int64_t kMoved = 20'000;  // 2 %: less is the noise of bunches and of a window's edges

// The changes of the generators' total goodput, and of their mean latencies, between the metrics of two runs. For a
// parameter of one generator only that one counts.
[[nodiscard]] cli::Change change_of(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after,
                                    std::string_view parameter);

// How much better the run is, in parts per million: by its goodput. If messages arrive by themselves, so that their
// goodput is given, by their shorter latency. In a closed loop a latency tells no more than the goodput, and may tell
// less: if the sender waits for the receiver before it posts, and no longer afterwards. 0 if the run is worse.
[[nodiscard]] std::int64_t gain_of(const cli::Change& change, bool goodput_is_given);

}  // namespace ndsim::prove

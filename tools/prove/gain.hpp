// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tools/cli/limit_proofs.hpp"
#include "tools/prove/figures_of.hpp"

namespace ndsim::prove {

inline constexpr std::int64_t kMoved = 20'000;  // 2 %: less is the noise of bunches and of a window's edges

// The changes of these generators' total goodput, and of their mean latencies, between two sets of parameters; each
// figure is the mean of the seeds'. Generators that moved nothing before, while all were measured, do not count if any
// other did. Messages are counted if all are empty.
[[nodiscard]] cli::Change change_of(const Results& before, const Results& after, const Generators& of);

// How much better the run is, in parts per million: by its goodput. If messages arrive by themselves, so that their
// goodput is given, by their shorter latency. In a closed loop a latency tells no more than the goodput, and may tell
// less: if the sender waits for the receiver before it posts, and no longer afterwards. 0 if the run is worse.
[[nodiscard]] std::int64_t gain_of(const cli::Change& change, bool goodput_is_given);

// The largest gain of one of these results over another: what chance alone brings.
[[nodiscard]] std::int64_t spread_of(const Results& results, const Generators& of, bool goodput_is_given);

}  // namespace ndsim::prove

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/limit_proofs.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// What bound the run, in a few lines. If the limits were tried, those that are not proved are left out, and of those
// that are not proved alone it says which others there are.
[[nodiscard]] std::string bound_text(const std::vector<Limit>& limits, const LimitProofs* proofs, const Paint& paint);
// The fullest pools, of hosts that are alike the fullest one; and in any case a switch's buffer and queue, the fullest
// that there are.
[[nodiscard]] std::string pools_text(const RunResult& result, const Scenario& scenario, const Paint& paint);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/alike_hosts.hpp"
#include "tools/cli/limit_proofs.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// The binding limits of the run, in a few lines; those of alike things share one. If the limits were tried, unproved
// ones are left out, and for those not proved alone it names the others.
[[nodiscard]] std::string bound_text(const std::vector<Limit>& limits, const AlikeHosts& alike,
                                     const LimitProofs* proofs, const Paint& paint);
// The fullest pools, one for alike hosts; and always the fullest buffer and queue of switches.
[[nodiscard]] std::string pools_text(const RunResult& result, const Scenario& scenario, const AlikeHosts& alike,
                                     const Paint& paint);

}  // namespace ndsim::cli

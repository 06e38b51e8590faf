// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/cli/alike_hosts.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// What the network has lost, what peers have refused for a time, and what hosts have sent again, in the whole run;
// empty if there was nothing. Alike hosts share a row with their sums.
[[nodiscard]] std::string recovery_text(const Scenario& scenario, const Metrics& metrics, const AlikeHosts& alike,
                                        const Paint& paint);

}  // namespace ndsim::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// Where a mean request spent its time, side by side for every host and operation; of many hosts, those whose requests
// of an operation took longest. Columns add up exactly.
[[nodiscard]] std::string ledger_text(const std::vector<MeanLedger>& ledgers, const Paint& paint);

}  // namespace ndsim::cli

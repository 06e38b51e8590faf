// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "scenarios/hosts/host_side.hpp"
#include "scenarios/record/status_log.hpp"
#include "scenarios/result/run_result.hpp"

namespace ndsim {

// The cause of a failure, in words.
[[nodiscard]] std::string_view sentence_of(WcStatus status);
// Dead connections of the scenario's queue pairs, in the order of their ends; behind them those of which a program has
// polled the failure, and of which the run ended before the NIC told the driver.
[[nodiscard]] std::vector<DeadConnection> dead_connections(const Scenario& scenario,
                                                           const std::vector<std::unique_ptr<HostSide>>& sides,
                                                           const StatusLog& statuses);

}  // namespace ndsim

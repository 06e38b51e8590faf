// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/hosts/host_side.hpp"
#include "scenarios/record/status_log.hpp"
#include "scenarios/result/run_result.hpp"

namespace ndsim {

// The cause of a failure, in words.
[[nodiscard]] std::string_view sentence_of(WcStatus status);
// Whether the host's program is one in C++.
using HasProgram = std::function<bool(const std::string& host)>;
// Dead connections in the order of their ends; behind them those of which a program of the scenario has polled the
// failure, and of which the run ended before the NIC told the driver. Each queue pair that a C++ program has made
// stands alone, as only that program knows its peer.
[[nodiscard]] std::vector<DeadConnection> dead_connections(const Scenario& scenario,
                                                           const std::vector<std::unique_ptr<HostSide>>& sides,
                                                           const HasProgram& has_program, const StatusLog& statuses);

}  // namespace ndsim

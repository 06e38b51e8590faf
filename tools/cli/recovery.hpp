// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/measure/metrics.hpp"
#include "tools/cli/alike_hosts.hpp"

namespace ndsim::cli {

// A counter of a host's NIC, and the heading of its column.
struct RecoveryCounter {
    std::string_view heading;
    std::string_view metric;
};
inline constexpr std::array kRecoveryCounters{
    RecoveryCounter{"packets again", "nic.requester.repeated"}, RecoveryCounter{"timeouts", "nic.completer.timeouts"},
    RecoveryCounter{"NAKs", "nic.completer.naks"}, RecoveryCounter{"of them RNR", "nic.completer.rnr_naks"}};

// What the network has lost, what peers have refused for a time, and what hosts have sent again, in the whole run.
struct Recovery {
    // A host with anything to tell, or alike ones with their sums.
    struct Row {
        std::string hosts;
        std::array<std::uint64_t, kRecoveryCounters.size()> counts{};
    };

    std::vector<Row> rows;
    std::vector<Metric> losses;

    [[nodiscard]] bool empty() const { return rows.empty() && losses.empty(); }
};

[[nodiscard]] Recovery recovery_of(std::span<const Metric> metrics, const AlikeHosts& alike);

}  // namespace ndsim::cli

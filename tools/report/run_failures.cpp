// SPDX-License-Identifier: Apache-2.0
#include "tools/report/run_failures.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "tools/cli/figures.hpp"
#include "tools/cli/recovery.hpp"
#include "tools/report/html.hpp"

namespace ndsim::report {

std::string ended_connections_table(const inspect::RecordedRun& run) {
    TableOf table{{"connection", ">ended at", "by an error", ""}, {}};
    for (const nlohmann::json& dead : run.whole.at("dead_connections")) {
        table.rows.push_back({dead.at("connection"), cli::figure(Picoseconds{dead.at("at_ps").get<std::int64_t>()}),
                              dead.at("why"),
                              dead.value("of_program", false)   ? "left to its program"
                              : dead.at("expected").get<bool>() ? "expected"
                                                                : "NOT EXPECTED"});
    }
    return table.rows.empty() ? "" : "<h3>Ended connections</h3>\n" + html_of(table);
}

std::string recovery_table(const inspect::RecordedRun& run) {
    std::vector<Metric> metrics;
    std::ranges::transform(run.metrics, std::back_inserter(metrics), [](const auto& entry) { return entry.second; });
    const cli::Recovery recovery = cli::recovery_of(metrics, run.alike);
    TableOf hosts{{""}, {}};
    for (const cli::RecoveryCounter& counter : cli::kRecoveryCounters) {
        hosts.heading.push_back(">" + std::string(counter.heading));
    }
    for (const cli::Recovery::Row& row : recovery.rows) {
        hosts.rows.push_back({row.hosts});
        std::ranges::transform(row.counts, std::back_inserter(hosts.rows.back()),
                               [](std::uint64_t count) { return std::to_string(count); });
    }
    TableOf losses{{"in the network", ">packets"}, {}};
    for (const Metric& loss : recovery.losses) {
        losses.rows.push_back({loss.name, std::to_string(loss.value)});
    }
    return (recovery.empty() ? "" : "<h3>Recovery, in the whole run</h3>\n") +
           (hosts.rows.empty() ? "" : html_of(hosts)) + (losses.rows.empty() ? "" : html_of(losses));
}

}  // namespace ndsim::report

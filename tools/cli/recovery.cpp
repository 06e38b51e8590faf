// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/recovery.hpp"

#include <algorithm>
#include <map>

#include "models/wire/fault_params.hpp"

namespace ndsim::cli {

namespace {

using Values = std::map<std::string_view, std::uint64_t>;

// Packets that a switch's port or a faulty link has lost.
bool is_loss(std::string_view name) {
    const std::string_view counter = name.substr(name.rfind('.') + 1);
    const bool of_faults = name.substr(0, name.size() - counter.size()).ends_with("_faults.");
    return counter == "drops" || (of_faults && std::ranges::count(kLinkFaultNames, counter) > 0);
}

// Hosts with a NIC, "A."
std::vector<std::string> hosts_of(std::span<const Metric> metrics) {
    constexpr std::string_view kCounter = kRecoveryCounters.front().metric;
    std::vector<std::string> hosts;
    for (const Metric& metric : metrics) {
        if (metric.name.ends_with(kCounter)) {
            hosts.push_back(metric.name.substr(0, metric.name.size() - kCounter.size()));
        }
    }
    return hosts;
}

Recovery::Row row_of(const std::vector<std::string>& hosts, const Values& values) {
    Recovery::Row row;
    std::vector<std::string> names;
    for (const std::string& host : hosts) {
        names.push_back(host.substr(0, host.size() - 1));
        for (std::size_t i = 0; i < kRecoveryCounters.size(); ++i) {
            const auto found = values.find(host + std::string(kRecoveryCounters.at(i).metric));
            row.counts.at(i) += found == values.end() ? 0 : found->second;
        }
    }
    row.hosts = first_and_last(names);
    return row;
}

}  // namespace

Recovery recovery_of(std::span<const Metric> metrics, const AlikeHosts& alike) {
    Recovery recovery;
    Values values;
    for (const Metric& metric : metrics) {
        values.emplace(metric.name, metric.value);
        if (metric.value > 0 && is_loss(metric.name)) {
            recovery.losses.push_back(metric);
        }
    }
    for (const std::vector<std::string>& group : alike.groups(hosts_of(metrics))) {
        Recovery::Row row = row_of(group, values);
        if (std::ranges::any_of(row.counts, [](std::uint64_t count) { return count > 0; })) {
            recovery.rows.push_back(std::move(row));
        }
    }
    return recovery;
}

}  // namespace ndsim::cli

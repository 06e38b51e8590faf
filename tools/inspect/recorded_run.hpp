// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/cli/alike_hosts.hpp"

namespace ndsim::inspect {

struct RecordedSetting {
    std::string value;
    std::string origin;
    friend bool operator==(const RecordedSetting&, const RecordedSetting&) = default;
};

struct RecordedLimit {
    std::string kind;
    std::string what;
    std::uint64_t share_ppm = 0;
    bool binds = false;
    std::string parameter;
    std::string value;
};

struct RecordedPool {
    std::string unit;
    std::string parameter;  // that sizes it, if one does
    bool kept_full = false;
};

// RecordedRun: what a run's folder says of it, read back from result.json.
struct RecordedRun {
    std::string folder;
    std::string version;
    std::string file;  // of the scenario, without its folder
    std::vector<std::string> overrides;
    Picoseconds started{};
    std::map<std::string, RecordedSetting> settings;
    std::map<std::string, Metric> metrics;
    std::map<std::string, RecordedPool> pools;
    std::vector<MeanLedger> ledgers;
    std::vector<RecordedLimit> limits;
    std::vector<Verdict> verdicts;
    std::map<std::string, std::string> queue_pairs;  // 0x11 of host A is under "A 0x11", and is A.q0
    cli::AlikeHosts alike;                           // what tables have once
    nlohmann::json whole;

    [[nodiscard]] std::string completions() const { return folder + "/completions.csv"; }
    [[nodiscard]] bool has_completions() const;
    // The value of a setting, such as hosts.A.qps.q0.connect.
    [[nodiscard]] std::optional<std::string> setting(const std::string& path) const;
    // What the scenario calls the queue pair of a host with this number.
    [[nodiscard]] std::optional<std::string> queue_pair(const std::string& host, const std::string& number) const;
    [[nodiscard]] const MeanLedger* ledger(std::string_view host, std::string_view operation) const;
};

// UsageError if that is not the folder of a run, or of a run of another version that wrote something else.
[[nodiscard]] RecordedRun read_run(const std::string& folder);

}  // namespace ndsim::inspect

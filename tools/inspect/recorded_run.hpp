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

// A parameter of the run.
struct RecordedSetting {
    std::string value;
    std::string origin;
    friend bool operator==(const RecordedSetting&, const RecordedSetting&) = default;
};

// A limit of the run.
struct RecordedLimit {
    std::string kind;
    std::string what;
    std::uint64_t share_ppm = 0;
    bool binds = false;
    std::string parameter;
    std::string value;
};

// A pool of the run.
struct RecordedPool {
    std::string unit;
    std::string parameter;  // sets its size, if there is one
    bool kept_full = false;
};

// RecordedRun: a run read back from result.json in its folder.
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
    std::map<std::string, std::string> queue_pairs;  // 0x11 of host A has the key "A 0x11" and the name A.q0
    cli::AlikeHosts alike;                           // things that tables show once
    nlohmann::json whole;

    [[nodiscard]] std::string completions() const { return folder + "/completions.csv"; }
    [[nodiscard]] bool has_completions() const;
    [[nodiscard]] std::uint64_t completion_count() const { return whole.at("completions").get<std::uint64_t>(); }
    // The run wrote them, and they are gone.
    [[nodiscard]] bool has_lost_completions() const;
    // The value of a setting, such as hosts.A.qps.q0.connect.
    [[nodiscard]] std::optional<std::string> setting(const std::string& path) const;
    // The scenario's name of the queue pair with this number on a host.
    [[nodiscard]] std::optional<std::string> queue_pair(const std::string& host, const std::string& number) const;
    [[nodiscard]] const MeanLedger* ledger(std::string_view host, std::string_view operation) const;
};

// UsageError if the folder has no run, or one of a version with another format.
[[nodiscard]] RecordedRun read_run(const std::string& folder);

}  // namespace ndsim::inspect

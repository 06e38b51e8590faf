// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "models/ledger/ledger.hpp"
#include "scenarios/result/result_json.hpp"
#include "scenarios/result/version.hpp"
#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::inspect {

namespace fs = std::filesystem;

namespace {

using SortedJson = nlohmann::json;

constexpr std::size_t kRunsNamed = 6;

std::vector<std::string> folders_in(const fs::path& parent, bool of_runs) {
    std::vector<std::string> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent.empty() ? "." : parent, error)) {
        if (entry.is_directory(error) && (!of_runs || fs::exists(entry.path() / "result.json", error))) {
            folders.push_back((parent / entry.path().filename()).string());
        }
    }
    std::ranges::sort(folders);
    return folders;
}

// A suggestion for a folder that has no run.
std::string no_run(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) {
        const auto meant = nearest(folder.string(), folders_in(folder.parent_path(), false));
        return "there is no such folder" + (meant ? "; did you mean " + *meant + "?" : "");
    }
    if (!fs::is_directory(folder, error)) {
        return "is a file; give the folder of the run";
    }
    const std::vector<std::string> runs = folders_in(folder, true);
    std::string why = "has no result.json, so it is not the folder of a run that has ended";
    if (!runs.empty()) {
        const std::size_t named = std::min(runs.size(), kRunsNamed);
        why += fmt::format("; runs are in {}{}", fmt::join(runs.begin(), runs.begin() + static_cast<int>(named), ", "),
                           named < runs.size() ? " ..." : "");
    }
    return why;
}

[[noreturn]] void refuse(const std::string& folder, const SortedJson& whole, const std::string& what) {
    const auto version = whole.is_object() ? whole.value("ndsim", SortedJson()) : SortedJson();
    const std::string wrote = version.is_string() ? "ndsim " + version.get<std::string>() : "something else";
    throw cli::UsageError(fmt::format("{}/result.json: {}; {} wrote it, and this is ndsim {}. Run the scenario again",
                                      folder, what, wrote, ndsim::version()));
}

Picoseconds time_of(const SortedJson& json) {
    return Picoseconds{json.get<std::int64_t>()};
}

Metric metric_of(const std::string& name, const SortedJson& json) {
    return {name, json.at("value").get<std::uint64_t>(), ndsim::quantity_of(json.at("unit").get<std::string>()), {}};
}

MeanLedger ledger_of(const SortedJson& json) {
    MeanLedger ledger{
        json.at("host"), json.at("operation"), json.at("requests"), time_of(json.at("mean_total_ps")), {}};
    const SortedJson& accounts = json.at("mean_accounts_ps");
    for (const std::string_view account : account_names()) {
        if (const auto found = accounts.find(std::string(account)); found != accounts.end()) {
            ledger.accounts.emplace_back(account, time_of(*found));
        }
    }
    return ledger;
}

Verdict verdict_of(const SortedJson& json) {
    return {json.at("met"), json.at("what"), json.at("found"), {json.at("line"), json.at("column")}, json.at("path")};
}

void read_scenario(RecordedRun& run, const SortedJson& scenario) {
    run.file = scenario.at("file");
    run.overrides = scenario.at("overrides").get<std::vector<std::string>>();
    for (const auto& [path, setting] : scenario.at("parameters").items()) {
        run.settings[path] = {setting.at("value"), setting.at("origin")};
    }
}

void read(RecordedRun& run, const SortedJson& json) {
    run.version = json.at("ndsim");
    run.started = time_of(json.at("started_ps"));
    read_scenario(run, json.at("scenario"));
    for (const auto& [name, metric] : json.at("metrics").items()) {
        run.metrics[name] = metric_of(name, metric);
    }
    for (const auto& [name, pool] : json.at("pools").items()) {
        run.pools[name] = {pool.at("unit"), pool.at("parameter"), pool.at("kept_full")};
    }
    for (const SortedJson& ledger : json.at("ledgers")) {
        run.ledgers.push_back(ledger_of(ledger));
    }
    for (const SortedJson& limit : json.at("limits")) {
        run.limits.push_back({limit.at("kind"), limit.at("what"), limit.at("share_ppm"), limit.at("binds"),
                              limit.at("parameter"), limit.at("value")});
    }
    for (const SortedJson& verdict : json.at("expectations")) {
        run.verdicts.push_back(verdict_of(verdict));
    }
    run.alike = cli::AlikeHosts(json.value("alike", cli::AlikeHosts::Names()));
    for (const SortedJson& qp : json.at("queue_pairs")) {
        const std::string name = qp.at("name");
        run.queue_pairs[name.substr(0, name.find('.')) + " " + qp.at("number").get<std::string>()] = name;
    }
}

}  // namespace

bool RecordedRun::has_completions() const {
    std::error_code error;
    return fs::exists(completions(), error);
}

bool RecordedRun::has_lost_completions() const {
    const auto files = whole.find("files");
    return !has_completions() && files != whole.end() && std::ranges::find(*files, "completions.csv") != files->end();
}

std::optional<std::string> RecordedRun::setting(const std::string& path) const {
    const auto found = settings.find(path);
    return found == settings.end() ? std::nullopt : std::optional(found->second.value);
}

std::optional<std::string> RecordedRun::queue_pair(const std::string& host, const std::string& number) const {
    const auto found = queue_pairs.find(host + " " + number);
    return found == queue_pairs.end() ? std::nullopt : std::optional(found->second);
}

const MeanLedger* RecordedRun::ledger(std::string_view host, std::string_view operation) const {
    const auto found = std::ranges::find_if(
        ledgers, [&](const MeanLedger& ledger) { return ledger.host == host && ledger.operation == operation; });
    return found == ledgers.end() ? nullptr : &*found;
}

RecordedRun read_run(const std::string& folder) {
    std::string path = folder;
    path.erase(path.find_last_not_of('/') + 1);
    RecordedRun run;
    run.folder = path.empty() ? "/" : path;
    std::ifstream file(run.folder + "/result.json");
    if (!file) {
        throw cli::UsageError(run.folder + ": " + no_run(run.folder));
    }
    run.whole = SortedJson::parse(file, nullptr, false);
    if (run.whole.is_discarded()) {
        refuse(run.folder, run.whole, "is not JSON, or is cut off");
    }
    try {
        read(run, run.whole);
    } catch (const SortedJson::exception& error) {
        const std::string what = error.what();  // "[json.exception.out_of_range.403] key 'ledgers' not found"
        refuse(run.folder, run.whole, what.substr(what.find("] ") + 2));
    }
    return run;
}

}  // namespace ndsim::inspect

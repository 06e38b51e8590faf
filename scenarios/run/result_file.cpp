// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/result_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "scenarios/record/completions_writer.hpp"
#include "scenarios/result/result_json.hpp"
#include "scenarios/result/settings.hpp"
#include "sim/files/whole_file.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kHeadRead = 64;

// The beginning of a file, without white space.
std::string head_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(kHeadRead, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    std::erase_if(head, [](char c) { return c == ' ' || c == '\n'; });
    return head;
}

}  // namespace

// A run that was killed leaves no result.json, but most often completions.csv.
bool has_outputs_of_ndsim(const std::string& folder) {
    constexpr std::array kWithVersion{"result.json", "sweep.json", "advice.json", "points.ndjson"};
    return std::ranges::any_of(
               kWithVersion,
               [&](const char* name) { return head_of(folder + "/" + name).starts_with(R"({"ndsim":)"); }) ||
           head_of(folder + "/completions.csv") == completions_head().substr(0, kHeadRead);
}

void remove_run_outputs(const std::string& folder) {
    if (!has_outputs_of_ndsim(folder)) {
        return;
    }
    for (const std::string_view name : kRunOutputs) {
        std::error_code error;
        std::filesystem::remove(std::filesystem::path(folder) / name, error);
    }
}

void write_result_file(const Scenario& scenario, const RunOptions& options, RunResult& result) {
    static const ScenarioSource kNone{};  // of a scenario that the program has made by itself
    const ScenarioSource& source = scenario.source ? *scenario.source : kNone;
    nlohmann::ordered_json json =
        result_json(scenario, {source.overrides, source.written, settings_of(scenario, source.written)}, result);
    json["programs"] = nlohmann::ordered_json::object();
    for (const auto& [host, program] : options.programs) {
        json["programs"][host] = nlohmann::ordered_json::object();
    }
    const std::string path = options.folder + "/result.json";
    // File names may be anything; bytes that are not UTF-8 are replaced.
    if (const auto why =
            write_whole_file(path, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n")) {
        result.unwritten.push_back(path + ": " + *why);
    }
}

}  // namespace ndsim

// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/result_file.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "scenarios/result/result_json.hpp"
#include "scenarios/result/settings.hpp"
#include "sim/files/whole_file.hpp"

namespace ndsim {

void remove_run_outputs(const std::string& folder) {
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

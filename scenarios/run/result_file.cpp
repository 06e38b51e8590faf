// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/result_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "scenarios/record/completions_writer.hpp"
#include "scenarios/result/result_json.hpp"
#include "scenarios/result/settings.hpp"
#include "sim/files/whole_file.hpp"

namespace ndsim {

namespace {

// Whether the file begins with this text; white space in it does not count. Takes no memory from the heap, whose state
// decides where a host program's memory begins.
bool begins_with(const std::string& path, std::string_view text) {
    std::array<char, 64> head{};
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : ::read(file, head.data(), head.size());
    if (file >= 0) {
        ::close(file);
    }
    const auto end = std::remove_if(head.begin(), head.begin() + std::max<ssize_t>(size, 0),
                                    [](char c) { return c == ' ' || c == '\n'; });
    return std::string_view(head.data(), static_cast<std::size_t>(end - head.begin())).starts_with(text);
}

}  // namespace

// A run that was killed leaves no result.json, but most often completions.csv.
bool has_outputs_of_ndsim(const std::string& folder) {
    constexpr std::array kWithVersion{"result.json", "sweep.json", "advice.json", "points.ndjson"};
    constexpr std::size_t kEnoughOfHead = 40;
    const bool has_completions = begins_with(folder + "/completions.csv", completions_head().substr(0, kEnoughOfHead));
    return std::ranges::count_if(
               kWithVersion, [&](const char* name) { return begins_with(folder + "/" + name, R"({"ndsim":)"); }) > 0 ||
           has_completions;
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

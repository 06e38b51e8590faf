// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/point.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <exception>

#include "scenarios/result/result_json.hpp"
#include "scenarios/result/version.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/ending.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

std::string hash_of(std::string_view text) {
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string key_of(const cli::Loaded& loaded) {
    Json said = to_json(loaded.written);
    for (const std::string_view other : {"about", "outputs", "sweep", "target"}) {
        said.erase(std::string(other));
    }
    std::string text = fmt::format("{}\n{}\n", version(), said.dump());
    for (const Traffic& traffic : loaded.scenario.traffic) {
        for (const Picoseconds time : traffic.times) {
            text += fmt::format("{} ", time.count());
        }
    }
    return hash_of(text);
}

Json run_point(const cli::Loaded& loaded) {
    try {
        const RunResult run = run_scenario(loaded.scenario, {});
        const cli::Ending ending = cli::ending_of(run);
        Json whole = result_json(loaded.scenario, {loaded.overrides, loaded.written, {}}, run);  // no parameters
        Json result{{"exit", static_cast<int>(ending.exit)}};
        for (const std::string_view part : {"outcome", "why", "started_ps", "ended_ps", "completions", "expectations",
                                            "limits", "ledgers", "metrics", "dead_connections"}) {
            result[std::string(part)] = std::move(whole[std::string(part)]);
        }
        result["why"] = ending.why;
        for (auto& metric : result["metrics"]) {
            metric.erase("text");
        }
        return result;
    } catch (const std::exception& error) {
        const cli::Failure failure = cli::failure_of(error);
        return {{"exit", static_cast<int>(failure.exit)}, {"outcome", "failed"}, {"why", failure.message}};
    }
}

std::uint64_t lost_connections(const nlohmann::ordered_json& result) {
    const auto list = result.find("dead_connections");
    return list == result.end()
               ? 0
               : static_cast<std::uint64_t>(std::ranges::count_if(
                     *list, [](const nlohmann::ordered_json& dead) { return !dead.at("expected").get<bool>(); }));
}

bool is_final(int exit) {
    using cli::ExitCode;
    constexpr std::array kFinal{ExitCode::success, ExitCode::expectation_failed, ExitCode::limit_hit,
                                ExitCode::stalled};
    return std::ranges::find(kFinal, static_cast<ExitCode>(exit)) != kFinal.end();
}

}  // namespace ndsim::sweep

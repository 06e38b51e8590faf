// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/idle.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "scenarios/run/child_processes.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/effects.hpp"
#include "tools/cli/interrupt.hpp"

namespace ndsim::sensitivity {

std::optional<std::set<std::string>> without_effect_in(const std::vector<const cli::Loaded*>& scenarios) {
    using Json = nlohmann::ordered_json;
    std::optional<std::set<std::string>> in_all;
    ChildWork work;  // each in its own process, as every run
    work.jobs = scenarios.size();
    work.run = [&](std::size_t job) {
        const RunResult run = run_scenario(scenarios[job]->scenario, {});
        Json found = Json::array();
        for (const cli::NoEffect& each : cli::without_effect(scenarios[job]->settings(), run.metrics, run.pools)) {
            found.push_back(each.path);
        }
        return found.dump();
    };
    work.on_end = [&](const ChildEnd& end) {
        std::set<std::string> paths;
        if (end.died.empty()) {
            paths = Json::parse(end.text).get<std::set<std::string>>();
        }
        if (!in_all) {
            in_all = std::move(paths);
            return;
        }
        std::set<std::string> both;
        std::ranges::set_intersection(*in_all, paths, std::inserter(both, both.end()));
        in_all = std::move(both);
    };
    work.stop = [] { return cli::interrupted(); };
    if (!run_in_children(work)) {
        return std::nullopt;
    }
    return in_all.value_or(std::set<std::string>());
}

}  // namespace ndsim::sensitivity

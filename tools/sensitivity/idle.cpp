// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/idle.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/run/child_processes.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/effects.hpp"
#include "tools/cli/interrupt.hpp"

namespace ndsim::sensitivity {

std::optional<Idle> without_effect_in(const std::vector<const cli::Loaded*>& scenarios) {
    using Json = nlohmann::ordered_json;
    std::optional<Idle> in_all;
    ChildWork work;  // each in its own process, as every run
    work.jobs = scenarios.size();
    work.run = [&](std::size_t job) {
        const RunResult run = run_scenario(scenarios[job]->scenario, {});
        Json found = Json::object();
        for (const cli::NoEffect& each : cli::without_effect(scenarios[job]->settings(), run.metrics, run.pools)) {
            found[each.path] = {each.least, each.most};
        }
        return found.dump();
    };
    work.on_end = [&](const ChildEnd& end) {
        Idle idle;
        if (end.died.empty()) {
            const Json told = Json::parse(end.text);
            for (const auto& [path, values] : told.items()) {
                idle[path] = {values[0], values[1]};
            }
        }
        if (!in_all) {
            in_all = std::move(idle);
            return;
        }
        std::erase_if(*in_all, [&](const auto& each) { return !idle.contains(each.first); });
        for (auto& [path, values] : *in_all) {
            values.least = std::max(values.least, idle.at(path).least);
            values.most = std::min(values.most, idle.at(path).most);
        }
    };
    work.stop = [] { return cli::interrupted(); };
    if (!run_in_children(work)) {
        return std::nullopt;
    }
    return in_all.value_or(Idle());
}

}  // namespace ndsim::sensitivity

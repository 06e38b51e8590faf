// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/variants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/run/child_processes.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::prove {

using Json = nlohmann::ordered_json;

namespace {

// The part of a result that is compared: of thousands of metrics only those of generators.
Json compared_part(const Json& result) {
    Json part = Json::object();
    for (const std::string_view member : {"outcome", "limits", "dead_connections"}) {
        if (const auto found = result.find(std::string(member)); found != result.end()) {
            part[std::string(member)] = *found;
        }
    }
    Json& metrics = part["metrics"] = Json::object();
    if (const auto all = result.find("metrics"); all != result.end()) {
        for (const auto& [name, metric] : all->items()) {
            if (name.starts_with("traffic.") || name.starts_with("dma.") || name.starts_with("run.")) {
                metrics.get_ref<Json::object_t&>().emplace_back(name, metric);
            }
        }
    }
    return part;
}

}  // namespace

cli::Loaded Variants::load(const Sets& sets) const {
    cli::ScenarioArguments arguments = arguments_;
    arguments.overrides.insert(arguments.overrides.end(), sets.begin(), sets.end());
    return cli::load(arguments);
}

std::vector<Results> Variants::run(const std::vector<Sets>& variants, std::size_t seeds) {
    std::vector<Results> results(variants.size(), Results(seeds, Json::object()));
    ChildWork work;
    work.jobs = variants.size() * seeds;
    work.at_once = cores();
    work.run = [&](std::size_t job) {
        Sets sets = variants[job / seeds];
        sets.push_back(fmt::format("seed={}", scenario_.seed + job % seeds));
        return compared_part(sweep::run_point(load(sets))).dump();
    };
    work.on_end = [&](const ChildEnd& end) {
        ++ended_;
        if (end.died.empty()) {
            results[end.job / seeds][end.job % seeds] = Json::parse(end.text);
        }
    };
    work.on_wait = [this, total = ended_ + work.jobs] { on_wait_({{}, ended_, total, "runs"}); };
    work.stop = [] { return cli::interrupted(); };
    run_in_children(work);
    return results;
}

std::string_view flaw_of(const Results& results) {
    for (const Json& result : results) {
        if (result.value("outcome", "") != "finished") {
            return "does not come to its end";
        }
        if (sweep::lost_connections(result) > 0) {
            return "loses a connection";
        }
    }
    return "";
}

}  // namespace ndsim::prove

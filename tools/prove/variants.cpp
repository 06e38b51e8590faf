// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/variants.hpp"

#include <algorithm>

#include "scenarios/run/child_processes.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::prove {

using Json = nlohmann::ordered_json;

cli::Loaded Variants::load(const Sets& sets) const {
    cli::ScenarioArguments arguments = arguments_;
    arguments.overrides.insert(arguments.overrides.end(), sets.begin(), sets.end());
    return cli::load(arguments);
}

std::vector<Json> Variants::run(const std::vector<Sets>& variants) const {
    std::vector<Json> results(variants.size(), Json::object());
    ChildWork work;
    work.jobs = variants.size();
    work.at_once = cores();
    work.run = [&](std::size_t job) { return sweep::run_point(load(variants[job])).dump(); };
    work.on_end = [&](const ChildEnd& end) {
        if (end.died.empty()) {
            results[end.job] = Json::parse(end.text);
        }
    };
    work.stop = [] { return cli::interrupted(); };
    run_in_children(work);
    return results;
}

std::string_view flaw_of(const Json& result) {
    if (result.value("outcome", "") != "finished") {
        return "does not come to its end";
    }
    const Json& dead = result.at("dead_connections");
    return std::ranges::all_of(dead, [](const Json& each) { return each.at("expected").get<bool>(); })
               ? ""
               : "loses a connection";
}

}  // namespace ndsim::prove

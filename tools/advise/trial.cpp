// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/trial.hpp"

#include <algorithm>

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

bool sets(const Dimension& dimension, const std::string& parameter) {
    return std::ranges::find(dimension.settings, parameter, &Dimension::Setting::path) != dimension.settings.end();
}

Limit limit_of(const Dimension& dimension, std::uint64_t depth) {
    return {dimension.name, dimension.settings.front().path, std::to_string(depth), false};
}

Trial trial_of(const Judge& judge, const Json& result, const Scenario& scenario) {
    Trial trial;
    trial.judgement = judge.judge(result);
    for (const Json& limit : result.value("limits", Json::array())) {
        if (limit.at("binds").get<bool>()) {
            trial.limits.push_back({limit.at("what"), limit.at("parameter"), limit.at("value"),
                                    limit.at("basis").get<std::string>() == "assumed"});
        }
    }
    const Json metrics = result.value("metrics", Json::object());
    const auto value = [&](const std::string& name) {
        const auto metric = metrics.find(name);
        return metric == metrics.end() ? 0 : metric->at("value").get<std::uint64_t>();
    };
    // A queue that has overrun explains a run that did not end, and no rate does.
    for (const Host& host : scenario.hosts) {
        if (value(host.name + ".nic.cq.overruns") > 0) {
            trial.limits = {{"a CQ of " + host.name + " overran", {}, {}, false}};
        }
    }
    const std::string first = "traffic." + scenario.traffic.front().name;
    trial.latency = Picoseconds{static_cast<std::int64_t>(value(first + ".latency.mean"))};
    trial.goodput = value(first + ".goodput");
    for (const Traffic& traffic : scenario.traffic) {
        trial.goodput_of_all += value("traffic." + traffic.name + std::string(goodput_figure(scenario)));
    }
    return trial;
}

void name_by_little(Trial& trial, const Dimension& dimension, std::uint64_t depth, std::optional<std::uint64_t> bound) {
    constexpr std::uint64_t kPercent = 100;
    const std::uint64_t reached = trial.goodput_of_all;
    if (!bound || std::max(reached, *bound) - std::min(reached, *bound) > *bound / kPercent) {
        return;
    }
    std::erase_if(trial.limits, [&](const Limit& limit) { return sets(dimension, limit.parameter); });
    trial.limits.insert(trial.limits.begin(), limit_of(dimension, depth));
}

}  // namespace ndsim::advise
